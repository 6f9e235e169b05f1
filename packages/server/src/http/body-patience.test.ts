/** How long bodies may take: less where messages come in, more where files do, and never without moving on. */
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { createHttpServer } from "./http-server.ts";
import { takeBodyAsItComes } from "./upload-body.ts";

const STEP_MS = 50;
const patience = { headersMs: 5_000, bodyMs: 400, checkMs: 100 };
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
  config: { patience: { bodyMs: 10_000, pace: { bytes: 1_000, ms: 300 } } },
  async onRequest(request) {
    request.upload = takeBodyAsItComes(request);
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
