import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { joinChunks } from "./join-chunks.ts";

const MB = 1_048_576;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test.each([
  ["nothing", []],
  ["one small chunk", [10]],
  ["chunks of all sizes", [1, 65_536, 9 * MB + 1, 0, 4 * MB, 3]],
])("all bytes are in the copy, in their order (%s)", async (_what, sizes) => {
  const chunks = sizes.map((size) => randomBytes(size));
  const joined = await joinChunks(chunks);
  expect(hashOf(joined)).toBe(hashOf(Buffer.concat(chunks)));
  expect(joined.byteOffset).toBe(0);
  expect(joined.buffer.byteLength).toBe(joined.byteLength);
});

test("other work has its turn while much is copied", async () => {
  let turns = 0;
  const joining = joinChunks([Buffer.alloc(20 * MB)]);
  const count = () => {
    turns += 1;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  await joining;
  expect(turns).toBeGreaterThanOrEqual(4);
});
