/** Which agents have which conversation open (docs/decisions/0026-inbox.md). */

import { ViewingNowFrame } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { bensInbox } from "@frontdesk/testing/inbox-client";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { listenBeside } from "@frontdesk/testing/mcp-app";
import { startRedis } from "@frontdesk/testing/redis-server";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app, storage, runtime, team } = await startTestApp();
const origin = await app.start();

async function twoAgents() {
  const acme = await team();
  const ben = await bensInbox(app, acme);
  const vera = browser(app, acme);
  const { body } = await vera.write("Hello", { name: "Vera" });
  const conversationId: string = body.message.conversation_id;
  return { acme, ben, vera, conversationId };
}

const comes = async (apiKey: string, base = origin) => {
  const socket = await listen(base, { token: apiKey, present: true });
  await socket.heard("presence");
  return socket;
};
const views = (socket: LiveSocket, conversation_id: string, viewing: boolean) =>
  socket.send({ type: "viewing", conversation_id, viewing });
const told = ({ frames }: LiveSocket) =>
  frames.filter(({ type }) => type === "viewing").map(({ agent, viewing }) => [agent.name, viewing]);

test("an agent who opens a conversation is announced to the other agents, also to those who connect later, and to no visitor", async () => {
  const { acme, ben, vera, conversationId } = await twoAgents();
  const ada = await comes(acme.apiKey);
  const bens = await comes(ben.apiKey);
  const veras = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  await veras.heard("ready");
  views(ada, conversationId, true);
  const frame = await bens.heard("viewing");
  expect(problemsOf(ViewingNowFrame, frame)).toEqual([]);
  expect(frame).toMatchObject({
    conversation_id: conversationId,
    agent: { id: acme.ada.id, name: "Ada" },
    viewing: true,
  });
  // A repeat is not sent again.
  views(ada, conversationId, true);
  const late = await comes(ben.apiKey);
  await late.heard("viewing");
  views(ada, conversationId, false);
  await bens.heard("viewing", 2);
  await late.heard("viewing", 2);
  expect([told(bens), told(late)]).toEqual([
    [
      ["Ada", true],
      ["Ada", false],
    ],
    [
      ["Ada", true],
      ["Ada", false],
    ],
  ]);
  // Neither to oneself nor to the visitor.
  expect([told(ada), told(veras)]).toEqual([[], []]);
});

test("an agent who disconnects is no longer a viewer", async () => {
  const { acme, ben, conversationId } = await twoAgents();
  const ada = await comes(acme.apiKey);
  const bens = await comes(ben.apiKey);
  views(ada, conversationId, true);
  await bens.heard("viewing");
  ada.leave();
  expect(await bens.heard("viewing", 2)).toMatchObject({ viewing: false });
});

test("a conversation of another team is none, and a visitor views nothing", async () => {
  const { acme, ben, vera, conversationId } = await twoAgents();
  const sams: TestTeam = await team();
  const sam = await comes(sams.apiKey);
  const bens = await comes(ben.apiKey);
  const veras = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  await veras.heard("ready");
  views(sam, conversationId, true);
  views(veras, conversationId, true);
  const ada = await comes(acme.apiKey);
  views(ada, conversationId, true);
  await bens.heard("viewing");
  expect(told(bens)).toEqual([["Ada", true]]);
});

test("agents of other processes see the viewers too, also those who connect later", async () => {
  const redis = await startRedis();
  const env = { REDIS_URL: redis.url };
  const [one, two] = [
    await listenBeside({ storage, runtime }, { env }),
    await listenBeside({ storage, runtime }, { env }),
  ];
  const { acme, ben, conversationId } = await twoAgents();
  const ada = await comes(acme.apiKey, one.origin);
  const bens = await comes(ben.apiKey, two.origin);
  // Redis may not be reached yet: who looks says so again and again.
  await expect
    .poll(
      () => {
        views(ada, conversationId, true);
        return told(bens);
      },
      { interval: 500 },
    )
    .toEqual([["Ada", true]]);
  bens.leave();
  // A process without a stream of the team asks the other processes.
  const again = await comes(ben.apiKey, two.origin);
  expect(await again.heard("viewing")).toMatchObject({ agent: { name: "Ada" }, viewing: true });
  views(ada, conversationId, false);
  expect(await again.heard("viewing", 2)).toMatchObject({ viewing: false });
});
