/** The tool get-conversation, as an operation (decisions 47 and 54). */

import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { graceJoins } from "@frontdesk/testing/grace";
import { addLine, comesBy } from "@frontdesk/testing/insert-rows";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, conversationOf, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { assignAgent } from "./assign-agent.ts";
import { openConversation } from "./open-conversation.ts";

const { app, storage, runtime, team, clock } = await startTestApp();

const open = (actor: Actor, conversationId: string) => app.perform(actor, openConversation, { conversationId });

test("it is one conversation with its contact's details, its last message and how many messages it has", async () => {
  const acme = await team();
  const details = { email: "vera@example.com", phone: "+4915112345678", country: "Germany" };
  const contactId = await veraArrives(acme, { ...details, language: "de", timezone: "Europe/Berlin" });
  const { conversationId } = await veraWrites(acme, { contact_id: contactId });
  const replyId = await adaReplies(acme, conversationId);
  await addLine({ storage, runtime }, acme, conversationId, { type: "system", content: "Ada has left." });
  const opened = await open(assistantOf(acme), conversationId);
  expect(opened).toMatchObject({
    conversation: { id: conversationId, widget_id: acme.widgetId, is_resolved: 0, resolved_by: null, message_count: 2 },
    contact: { id: contactId, name: "Vera", ...details, language: "de", timezone: "Europe/Berlin" },
    agents: [],
    lastMessage: { id: replyId, agent_id: acme.ada.id, type: "message" },
  });
});

test("it says who resolved it, when it was reopened, and who is assigned, first assigned first", async () => {
  const acme = await team();
  const grace = await graceJoins({ app }, acme);
  const { conversationId } = await veraWrites(acme);
  for (const agentId of [grace.id, acme.ada.id]) {
    clock.advance(1_000);
    await app.perform(acme.actor, assignAgent, { conversationId, agentId });
  }
  await adaSets(acme, conversationId, "resolved");
  const resolved = await open(assistantOf(acme), conversationId);
  expect(resolved.agents.map(({ id, name, email }) => ({ id, name, email }))).toEqual([grace, acme.ada]);
  expect(resolved.conversation).toMatchObject({ is_resolved: 1, resolved_at: clock.now(), reopened_at: null });
  expect(JSON.parse(resolved.conversation.resolved_by ?? "")).toEqual({ agent: acme.ada });
  clock.advance(1_000);
  await adaSets(acme, conversationId, "open");
  expect((await open(assistantOf(acme), conversationId)).conversation).toMatchObject({
    is_resolved: 0,
    resolved_at: null,
    resolved_by: null,
    reopened_at: clock.now(),
  });
});

test("opening it leaves it unread: only people read for the team", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  await open(assistantOf(acme), conversationId);
  expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
});

test("what the assistant may not see, another team's, an unknown id and no id are not found alike", async () => {
  const [acme, sams] = [await team(), await team()];
  const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
  const { conversationId } = await veraWrites(acme);
  const mail = await veraWrites(acme);
  await comesBy(storage, acme, mail.conversationId, "email");
  const gone = { message: "Conversation not found.", reason: { name: "not-found", what: "conversation" } };

  const robin = assistantOf(acme, { widgets: [acme.widgetId], channels: ["email"] });
  for (const id of [conversationId, conversationId.toUpperCase(), mail.conversationId]) {
    expect((await open(robin, id)).conversation.id).toBe(id.toLowerCase());
  }
  for (const granted of [{ widgets: [shop.id] }, { widgets: [] }]) {
    await expect(open(assistantOf(acme, { ...granted, channels: "all" }), conversationId)).rejects.toMatchObject(gone);
  }
  await expect(open(assistantOf(acme, { channels: ["whatsapp"] }), mail.conversationId)).rejects.toMatchObject(gone);
  for (const id of [conversationId, ...NO_IDS]) await expect(open(assistantOf(sams), id)).rejects.toMatchObject(gone);
});

test("without the permission read_conversations nothing is opened", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const robin = assistantOf(acme, { permissions: ["read_conversation_messages", "add_notes"] });
  await expect(open(robin, conversationId)).rejects.toMatchObject({ reason: { name: "not-allowed" } });
});
