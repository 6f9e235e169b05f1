/** A turn of the AI waits while its visitor types, in whatever process that is heard (docs/decisions/0075-turns-of-the-ai.md). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { browser } from "@frontdesk/testing/browser-visitor";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { startRedis } from "@frontdesk/testing/redis-server";
import { appOn, openBeside } from "@frontdesk/testing/second-app";
import { afterAll, expect, test } from "vitest";
import { takeOver } from "../speaker/take-over.ts";

const redis = await startRedis();
const scene = await startAiScene({ REDIS_URL: redis.url });
afterAll(() => scene.model.stop());

const QUESTION = "How long does a parcel take?";
const { app, runtime, timeouts, env, storage } = scene;
const origins = [scene.origin];
// Another process of the same installation: it hears of typing through Redis alone, and runs no turn before it is started.
const beside = await appOn({ storage: await openBeside(storage), runtime, timeouts, env });
origins.push(await beside.start());

/** Vera has asked, and listens at the given process. */
async function vera(origin: string) {
  const acme = await scene.team();
  const page = browser(app, acme);
  const { body } = await page.write(QUESTION, { name: "Vera" });
  const conversationId: string = body.message.conversation_id;
  const socket = await listen(origin, { token: page.token, widget_id: acme.widgetId });
  await socket.heard("ready");
  const ada = await listen(scene.origin, { token: acme.apiKey, present: true });
  const other = await listen(origins[1] as string, { token: acme.apiKey, present: true });
  await Promise.all([ada, other].map((each) => each.heard("presence")));
  return {
    ...{ page, conversationId, socket, team: acme },
    /** Both processes have heard it. */
    async types(typing: boolean) {
      const heard = ({ frames }: LiveSocket) =>
        frames.filter(({ type, from }) => type === "typing" && from === "visitor");
      const told = [ada, other].map((each) => heard(each).length);
      socket.send({ type: "typing", conversation_id: conversationId, typing });
      await Promise.all(
        [ada, other].map((each, at) => expect.poll(() => heard(each).length).toBe(Number(told[at]) + 1)),
      );
    },
  };
}

/** Steps through the time; the turn has to be quiet until then. */
async function staysQuiet(conversationId: string, ms: number) {
  for (let step = 0; step < ms; step += 500) {
    scene.pass(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await scene.runs(conversationId)).toEqual([]);
}

test.each([0, 1])("what process %s hears of a visitor who types holds their turn, six seconds at most", async (at) => {
  const { conversationId, types } = await vera(origins[at] as string);
  await types(true);
  await staysQuiet(conversationId, 5_500);
  scene.pass(501);
  await expect.poll(async () => (await scene.runs(conversationId)).length).toBe(1);
});

test("who stops without sending is answered a moment later", async () => {
  const { conversationId, types } = await vera(origins[0] as string);
  await types(true);
  await staysQuiet(conversationId, 2_000);
  await types(false);
  await staysQuiet(conversationId, 1_000);
  scene.pass(1_201);
  await expect.poll(async () => (await scene.runs(conversationId)).length).toBe(1);
});

test("who has written sees the AI type at once, before its turn begins, and no longer once a person has taken over", async () => {
  const { page, conversationId, socket, team } = await vera(origins[0] as string);
  await page.write("And to Austria?");
  const byAi = () => socket.frames.filter(({ type, by_ai }) => type === "typing" && by_ai);
  await expect.poll(() => byAi().map(({ typing }) => typing)).toEqual([true]);
  await app.perform(team.actor, takeOver, { conversationId });
  scene.pass(1_201);
  await expect.poll(() => byAi().map(({ typing }) => typing)).toEqual([true, false]);
  expect(await scene.said(conversationId)).toEqual([]);
});
