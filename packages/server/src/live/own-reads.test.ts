/** What an agent has read is known at all of their screens, and at no other (docs/decisions/0044-triage.md). */
import { OwnReadFrame } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { adasInbox, bensInbox } from "@frontdesk/testing/inbox-client";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { listenBeside } from "@frontdesk/testing/mcp-app";
import { startRedis } from "@frontdesk/testing/redis-server";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { app, storage, runtime, team } = await startTestApp();
const origin = await app.start();

const comes = async (apiKey: string, base = origin) => {
  const socket = await listen(base, { token: apiKey, present: true });
  await socket.heard("presence");
  return socket;
};
const told = ({ frames }: LiveSocket) => frames.filter(({ type }) => type === "own-read");

test("a second screen of the agent is told what the first has read, and a colleague is not", async () => {
  const acme = await team();
  const ben = await bensInbox(app, acme);
  const { conversationId } = await veraWrites(acme);
  const [first, second, bens] = [await comes(acme.apiKey), await comes(acme.apiKey), await comes(ben.apiKey)];
  await adasInbox(app, acme).post(`/conversations/${conversationId}/read`, { sort_number: 1 });
  const frame = { type: "own-read", conversation_id: conversationId, read_number: 1 };
  for (const screen of [first, second]) expect(await screen.heard("own-read")).toEqual(frame);
  expect(problemsOf(OwnReadFrame, frame)).toEqual([]);
  // Ben's stream has come past the reading once it has the event of it.
  await bens.heard("event");
  expect(told(bens)).toEqual([]);
});

test("screens at other processes are told too", async () => {
  const redis = await startRedis();
  const env = { REDIS_URL: redis.url };
  const [one, two] = [
    await listenBeside({ storage, runtime }, { env }),
    await listenBeside({ storage, runtime }, { env }),
  ];
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const screen = await comes(acme.apiKey, two.origin);
  const read = () =>
    fetch(`${one.origin}/app/api/inbox/conversations/${conversationId}/read`, {
      method: "POST",
      headers: { "x-api-key": acme.apiKey, "content-type": "application/json" },
      body: "{}",
    });
  // Redis may not be reached yet: a reading is said again and again.
  await expect
    .poll(
      async () => {
        expect((await read()).status).toBe(200);
        return told(screen)[0];
      },
      { interval: 500 },
    )
    .toEqual({ type: "own-read", conversation_id: conversationId, read_number: 1 });
});
