/** Reference row 29, in small and with less patience; `npm run soak` waits the whole 15 seconds, with 1,000 of them. */
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { createHttpServer } from "../../src/http/framework/http-server.ts";
import { slowConnections } from "./slow-connections.ts";

const CONNECTIONS = 100;
const PATIENCE = { headersMs: 600, bodyMs: 900, checkMs: 100, stopMs: 5_000 };

const app = createHttpServer({
  logger: pino({ level: "silent" }),
  trustProxy: false,
  onAnswer: () => {},
  patience: PATIENCE,
});
app.post("/", async () => ({ done: true }));
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.close());

test("connections that send too slowly are answered 408 and cut off, and all others are served meanwhile", async () => {
  const slow = await slowConnections(origin, { count: CONNECTIONS, path: "/", apiKey: "none", stepMs: 50 });
  let waiting = true;
  const ends = Promise.all(slow.map(({ end }) => end)).finally(() => {
    waiting = false;
  });
  let served = 0;
  while (waiting) {
    const answer = await fetch(origin, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await answer.json()).toEqual({ done: true });
    served += 1;
  }
  const ended = await ends;
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 408));
  // The premise: others asked all the while, and each was answered.
  expect(served).toBeGreaterThan(3);
});
