/** How a dead connection is distinguished from a silent one (docs/decisions/0020-live-stream.md). */
import { once } from "node:events";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";

const PING_MS = 25_000;

vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
afterAll(() => void vi.useRealTimers());

const { app, team } = await startTestApp();
const origin = await app.start();

/** An open stream of Ada's. */
async function openSocket(options: { autoPong: boolean }) {
  const { apiKey } = await team();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, options);
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "hello", token: apiKey, since: null, epoch: null }));
  await once(socket, "message");
  return socket;
}

test("a socket is asked every 25 seconds; one that has not answered by the next time is cut off", async () => {
  const [living, dead] = [await openSocket({ autoPong: true }), await openSocket({ autoPong: false })];
  const asked = [living, dead].map((socket) => once(socket, "ping"));
  vi.advanceTimersByTime(PING_MS);
  await Promise.all(asked);
  // The answer has arrived when the one to a later question has.
  living.send(JSON.stringify({ type: "ping" }));
  await once(living, "message");
  const cut = once(dead, "close");
  const askedAgain = once(living, "ping");
  vi.advanceTimersByTime(PING_MS);
  // It was not closed properly.
  expect((await cut)[0]).toBe(1006);
  await askedAgain;
  expect(living.readyState).toBe(WebSocket.OPEN);
  living.terminate();
});

test("a stream of events says every 25 seconds that it lives, with a line that is no event", async () => {
  const { apiKey } = await team();
  const { body } = await fetch(`${origin}/live/events`, { headers: { authorization: `Bearer ${apiKey}` } });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain(`"type":"ready"`);
  vi.advanceTimersByTime(PING_MS);
  expect((await reader?.read())?.value).toBe(":\n\n");
  await reader?.cancel();
});
