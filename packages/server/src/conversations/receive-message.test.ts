/**
 * Incoming messages by the widget (docs/decisions/0040-channel-accounts.md); other channels: `channels/import-message.test.ts`.
 */
import { randomUUID } from "node:crypto";
import { browser } from "@frontdesk/testing/browser-visitor";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventNamesOf, eventsOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createWidget } from "../widgets/create-widget.ts";
import { conversationById } from "./conversation-store.ts";

const { app, storage, team, clock } = await startTestApp({ VISITOR_BOUNDS_FACTOR: "100" });

test("a verified visitor goes on in the conversation of their home widget, on whatever site they are", async () => {
  const acme = await team();
  const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
  const exp = Math.floor(clock.now() / 1000) + 3600;
  const identityOn = async (widgetId: string) =>
    signedToken(await newIdentitySecret(acme, widgetId), { sub: "vera", exp });
  const home = browser(app, acme);
  const first = await home.say("I am at home.", { identity: await identityOn(acme.widgetId) });
  const conversationId: string = first.body.message.conversation_id;

  const there = browser(app, { widgetId: shop.id });
  const identity = await identityOn(shop.id);
  const [received] = await eventsOf(acme, async () => {
    const { body } = await there.say("I am in the shop.", { identity });
    expect(body.message.conversation_id).toBe(conversationId);
  });
  expect(received).toMatchObject({
    name: "message.received",
    data: { conversation: { widget_name: "Website", identifier: acme.widgetId } },
  });
  const chat = (await there.chat()).body;
  expect(chat.messages.map(({ content }: { content: string }) => content)).toEqual([
    "I am in the shop.",
    "I am at home.",
  ]);
  expect(await storage.first(conversationById, { team_id: acme.teamId, id: conversationId })).toMatchObject({
    ...{ account_id: acme.widgetId, widget_id: acme.widgetId, channel: "website" },
  });
});

test("what the browser sends again is answered with what is there, and the conversation stays resolved", async () => {
  const acme = await team();
  const vera = browser(app, acme);
  const again = { client_id: randomUUID() };
  const { body } = await vera.say("Do you ship to Portugal?", again);
  const { conversation_id } = body.message;
  await acme.post(`/conversations/${conversation_id}/resolve`, { status: "resolved" });
  const names = await eventNamesOf(acme, async () => {
    expect((await vera.say("Do you ship to Portugal?", again)).body.message).toEqual(body.message);
  });
  expect(names).toEqual([]);
});
