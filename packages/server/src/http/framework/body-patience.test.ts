/** How long bodies may take: less for messages, more for files, and never without progress. */
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { fileTooLarge } from "../../files/file.ts";
import { StorageUnavailable } from "../../storage/database.ts";
import { createHttpServer } from "./http-server.ts";
import { takeBodyAsItComes } from "./upload-body.ts";

const STEP_MS = 50;
/** A time that nothing else waits for. */
const WATCHED_MS = 123_456;
const patience = { headersMs: 5_000, bodyMs: 400, checkMs: 100, stopMs: 5_000 };
const app = createHttpServer({
  logger: pino({ level: "silent" }),
  trustProxy: false,
  onAnswer: () => {},
  patience,
});
app.post("/messages", async () => ({ done: true }));
app.route({
  method: "POST",
  url: "/files",
  config: { patience: { bodyMs: 60_000, pace: { bytes: 1_000, ms: 2_000 } } },
  async onRequest(request) {
    request.upload = takeBodyAsItComes(request);
  },
  handler: async ({ upload }) => ({ size: upload && (await buffer(upload.content)).byteLength }),
});
app.route({
  method: "POST",
  url: "/refused/:status",
  config: { patience: { bodyMs: WATCHED_MS, pace: { bytes: 1, ms: WATCHED_MS + 1 } } },
  async onRequest(request) {
    request.upload = takeBodyAsItComes(request);
    const { status } = request.params as { status: string };
    if (status === "401") throw notAuthenticated("token");
    if (status === "413") throw fileTooLarge(1);
    if (status === "503") throw new StorageUnavailable("The disk has no room for files.");
  },
  handler: async ({ upload }) => ({ size: upload && (await buffer(upload.content)).byteLength }),
});
const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
afterAll(() => app.close());

/** Sends a body in `steps` pieces of `bytes`, one every 50 ms, and answers what came back. */
async function inSteps(path: string, steps: number, bytes: number): Promise<string> {
  const socket = connect(Number(port), "127.0.0.1");
  const closed = once(socket, "close");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  const type = "Content-Type: application/json\r\nConnection: close";
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${steps * bytes}\r\n\r\n`);
  for (let step = 0; step < steps && !socket.closed; step += 1) {
    if (socket.writable) socket.write(Buffer.alloc(bytes, " "));
    await Promise.race([delay(STEP_MS), closed]);
  }
  await closed;
  return text;
}

test("a message that takes longer than messages may is cut off", async () => {
  expect(await inSteps("/messages", 40, 1_000)).toMatch(/^HTTP\/1\.1 408 /);
});

test("a file may take longer while it moves on", async () => {
  const answer = await inSteps("/files", 20, 1_000);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('{"size":20000}');
});

test("a file that hardly moves on is cut off", async () => {
  expect(await inSteps("/files", 100, 10)).toMatch(/^HTTP\/1\.1 408 /);
});

test.each(["401", "413", "503", "none"])(
  "of a body that stays unfinished, after the answer %s, no timer is left when its sender has gone",
  async (status) => {
    const [begun, ended] = [
      [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "setInterval")],
      [vi.spyOn(globalThis, "clearTimeout"), vi.spyOn(globalThis, "clearInterval")],
    ] as const;
    onTestFinished(() => void vi.restoreAllMocks());
    const watches = () =>
      begun.flatMap(({ mock }) =>
        mock.calls.flatMap(([, ms], at) => (Number(ms) >= WATCHED_MS ? [mock.results[at]?.value] : [])),
      );
    const socket = connect(Number(port), "127.0.0.1");
    const answers: string[] = [];
    socket.on("data", (chunk) => answers.push(chunk.toString())).on("error", () => {});
    socket.write(`POST /refused/${status} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nbegun`);
    if (status === "none") await expect.poll(watches).toHaveLength(2);
    else await expect.poll(() => answers.join("")).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(watches()).toHaveLength(2);
    // A process that is stopped does not wait for them.
    for (const watch of watches()) expect((watch as NodeJS.Timeout).hasRef()).toBe(false);
    socket.destroy();
    await expect
      .poll(() => ended.flatMap(({ mock }) => mock.calls.map(([timer]) => timer)))
      .toEqual(expect.arrayContaining(watches()));
  },
);

test("a body that was cut off is watched no longer", async () => {
  const clear = vi.spyOn(globalThis, "clearInterval");
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await inSteps("/files", 100, 10)).toMatch(/^HTTP\/1\.1 408 /);
  expect(clear.mock.calls.filter(([timer]) => timer !== undefined)).toHaveLength(1);
});
