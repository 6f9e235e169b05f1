import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { afterAll, expect, it } from "vitest";
import { OperatorError } from "../operator-error.ts";
import { unlockVault } from "./secret-key.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-test-key-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = () => mkdtempSync(join(root, "data-"));

const first = await openTestStorage();
await first.storage.migrate();
const second = await openTestStorage();
await second.storage.migrate();

it("the key is made at first use, for its owner's eyes only, and kept from then on", async () => {
  const dataDir = folder();
  const vault = await unlockVault({ secretKey: undefined, dataDir }, first.storage);
  const file = join(dataDir, "secret.key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(file, "utf8"), "base64")).toHaveLength(32);
  expect(readdirSync(dataDir)).toEqual(["secret.key"]);

  const again = await unlockVault({ secretKey: undefined, dataDir }, first.storage);
  const place = { column: "jobs.payload_sealed", teamId: "acme", id: "1" } as const;
  expect(again.open(vault.seal("letter", place), place)).toBe("letter");
  // SECRET_KEY may carry the same key to a process without this folder.
  const secretKey = Buffer.from(readFileSync(file, "utf8"), "base64");
  expect((await unlockVault({ secretKey, dataDir: folder() }, first.storage)).fingerprint).toBe(vault.fingerprint);
});

it("data that was sealed with another key is refused, in words for the operator, and no new key hides the loss", async () => {
  const other = { secretKey: randomBytes(32), dataDir: folder() };
  await expect(unlockVault(other, first.storage)).rejects.toThrow(
    "encrypted with a different key. Restore DATA_DIR/secret.key",
  );
  const dataDir = folder();
  await expect(unlockVault({ secretKey: undefined, dataDir }, first.storage)).rejects.toThrow("is missing. Restore");
  expect(readdirSync(dataDir)).toEqual([]);
});

it("a damaged key file is reported, not replaced", async () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, "secret.key"), "short\n");
  const refused = unlockVault({ secretKey: undefined, dataDir }, first.storage);
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow("damaged");
  expect(readFileSync(join(dataDir, "secret.key"), "utf8")).toBe("short\n");
});

it("processes that start at the same time end with one key", async () => {
  const dataDir = folder();
  const program = `
    import { unlockVault } from ${JSON.stringify(new URL("secret-key.ts", import.meta.url).href)};
    import { openStorage } from ${JSON.stringify(new URL("../storage/open-storage.ts", import.meta.url).href)};
    const [databaseUrl, dataDir, keyDir] = JSON.parse(process.env.TEST_PLACE);
    const storage = openStorage({ databaseUrl: databaseUrl ?? undefined, dataDir });
    console.log((await unlockVault({ secretKey: undefined, dataDir: keyDir }, storage)).fingerprint);
    await storage.close();`;
  const place = JSON.stringify([second.databaseUrl ?? null, second.dataDir, dataDir]);
  const run = () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...process.env, NODE_OPTIONS: "", TEST_PLACE: place },
    });
  const prints = (await Promise.all([run(), run(), run(), run()])).map(({ stdout }) => stdout.trim());
  expect(prints[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(prints).size).toBe(1);
  expect(readdirSync(dataDir)).toEqual(["secret.key"]);
});
