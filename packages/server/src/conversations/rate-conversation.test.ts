import { browser } from "@frontdesk/testing/browser-visitor";
import { block } from "@frontdesk/testing/insert-rows";
import { listen } from "@frontdesk/testing/live-client";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaSets, eventNamesOf, eventsOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { app, storage, team } = await startTestApp();
const origin = await app.start();

/** Vera has written, and what she rates is answered. */
async function veraChats(acme: TestTeam) {
  const vera = browser(app, acme);
  const { conversation_id } = (await vera.write("Do you ship to Portugal?")).body.message;
  const rate = (rating: unknown, more: object = {}) =>
    vera.ask("POST", "/rating", { conversation_id, rating, ...more });
  return { ...vera, rate, conversationId: conversation_id as string };
}

test("a visitor rates a conversation that was resolved, and a later rating takes the place of an earlier one", async () => {
  const acme = await team();
  const vera = await veraChats(acme);
  await adaSets(acme, vera.conversationId, "resolved");
  const [rated] = await eventsOf(acme, async () => {
    expect(await vera.rate(2, { comment: "  It took a while. " })).toMatchObject({
      status: 200,
      body: { conversation: { id: vera.conversationId, is_resolved: true, rating: 2 } },
    });
  });
  expect(rated).toMatchObject({
    name: "conversation.rated",
    conversation_id: vera.conversationId,
    data: { rating: 2, comment: "It took a while." },
  });
  const [again] = await eventsOf(acme, () => vera.rate(5));
  expect(again?.data).toMatchObject({ rating: 5, comment: null });
  expect((await vera.chat()).body.conversation.rating).toBe(5);
});

test("the same rating again changes nothing", async () => {
  const acme = await team();
  const vera = await veraChats(acme);
  await adaSets(acme, vera.conversationId, "resolved");
  await vera.rate(4, { comment: "Nice" });
  expect(await eventNamesOf(acme, () => vera.rate(4, { comment: "Nice" }))).toEqual([]);
  expect(await eventNamesOf(acme, () => vera.rate(4, { comment: "Nice!" }))).toEqual(["conversation.rated"]);
});

test("one that was never resolved cannot be rated; one that was reopened can", async () => {
  const acme = await team();
  const vera = await veraChats(acme);
  expect(await vera.rate(5)).toMatchObject({
    status: 422,
    body: { errors: { conversation_id: ["This conversation has not been resolved yet."] } },
  });
  await adaSets(acme, vera.conversationId, "resolved");
  await vera.write("One more thing");
  expect((await vera.rate(5)).status).toBe(200);
});

test("a rating is a whole number from 1 to 5, and a comment has at most 1,000 characters", async () => {
  const acme = await team();
  const vera = await veraChats(acme);
  await adaSets(acme, vera.conversationId, "resolved");
  for (const wrong of [0, 6, 2.5, "5", null]) expect((await vera.rate(wrong)).status, String(wrong)).toBe(422);
  expect((await vera.rate(5, { comment: "x".repeat(1_001) })).body.errors).toHaveProperty("comment");
  expect((await vera.rate(5, { comment: "x".repeat(1_000) })).status).toBe(200);
});

test("a visitor cannot rate another visitor's conversation, and a blocked visitor rates none", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraChats(acme);
  await adaSets(acme, vera.conversationId, "resolved");
  const word = { conversation_id: vera.conversationId, rating: 1 };
  for (const other of [browser(app, acme), browser(app, sams)]) {
    expect((await other.ask("POST", "/rating", word)).status).toBe(404);
    await other.write("Hello");
    expect(await other.ask("POST", "/rating", word)).toMatchObject({
      status: 404,
      body: { message: "Conversation not found." },
    });
  }
  await block(storage, acme, (await vera.chat()).body.contact.id);
  expect((await vera.rate(1)).status).toBe(403);
  expect((await vera.chat()).body.conversation.rating).toBeNull();
});

test("the team sees rating and comment live, with the moment; the visitor sees the rating", async () => {
  const acme = await team();
  const vera = await veraChats(acme);
  await adaSets(acme, vera.conversationId, "resolved");
  const ofTeam = await listen(origin, { token: acme.apiKey });
  const ofVera = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  for (const stream of [ofTeam, ofVera]) await stream.heard("ready");
  await vera.rate(3, { comment: "It was fine." });
  await ofTeam.heard("event");
  await ofVera.heard("event");
  expect(ofTeam.events()[0]).toMatchObject({
    name: "conversation.rated",
    conversation: { rating: { score: 3, comment: "It was fine.", rated_at: "2026-11-20T09:00:00.000Z" } },
  });
  expect(ofVera.events()[0]).toMatchObject({ name: "conversation.rated", conversation: { rating: 3 } });
  expect(JSON.stringify(ofVera.frames)).not.toContain("It was fine.");
  for (const stream of [ofTeam, ofVera]) stream.leave();
});
