import { automatedActors } from "@frontdesk/testing/automated-actors";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { addNote } from "../conversations/add-note.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { readMessages } from "../conversations/read-messages.ts";
import { requestHandoff } from "../conversations/request-handoff.ts";
import { sendMessage } from "../conversations/send-message.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { snoozeConversation } from "../conversations/snooze-conversation.ts";
import { unassignAgent } from "../conversations/unassign-agent.ts";
import { unsnoozeConversation } from "../conversations/unsnooze-conversation.ts";
import { setCustomData } from "../custom-data/set-custom-data.ts";
import { searchArticles } from "../knowledge/search-articles.ts";
import { addTag } from "../tags/add-tag.ts";
import { removeTag } from "../tags/remove-tag.ts";
import type { Actor } from "./actor.ts";
import { seesEverything, visibilityOf } from "./visibility-store.ts";
import { maySeeConversation } from "./visible.ts";

const { app, team, runtime } = await startTestApp();

/** Under which key, if any, each event of a person's deed names who did it. */
const doerIn = (data: Record<string, unknown>) => Object.entries(data).find(([key]) => key.endsWith("_by"))?.[1];

test("a rule does everything that its rows say, and each of its events names it as an automation", async () => {
  const acme = await team();
  const { automation } = automatedActors(acme);
  const { conversationId, contactId } = await veraWrites(acme);
  const itself = { automation: { id: automation.automationId, name: "Tag by topic" } };
  const agentId = acme.ada.id;
  const reply = { conversationId, content: "We are on it.", agentId: null, attachments: [] };
  const events = await eventsOf(acme, async () => {
    await app.perform(automation, addTag, { conversationId, name: "Shipping" });
    await app.perform(automation, removeTag, { conversationId, name: "Shipping" });
    await app.perform(automation, assignAgent, { conversationId, agentId });
    await app.perform(automation, unassignAgent, { conversationId, agentId });
    await app.perform(automation, setCustomData, { contactId, name: "plan", value: "Pro", mustExist: false });
    await app.perform(automation, addNote, { conversationId, content: "Look at the order first." });
    await app.perform(automation, sendMessage, { ...reply, type: "message" });
    await app.perform(automation, snoozeConversation, { conversationId, until: "reply" });
    await app.perform(automation, unsnoozeConversation, { conversationId });
    await app.perform(automation, setConversationStatus, { conversationId, status: "resolved", agentId: null });
    await app.perform(automation, setConversationStatus, { conversationId, status: "open", agentId: null });
  });
  const told = events
    .filter(({ name }) => !/\.created$/.test(name))
    .map(({ name, data, actor }) => ({ name, by: doerIn(data), actor }));
  const actor = { kind: "automation", id: automation.automationId };
  expect(told).toEqual([
    { name: "tag.assigned", by: itself, actor },
    { name: "tag.removed", by: itself, actor },
    { name: "agent.assigned", by: itself, actor },
    { name: "agent.unassigned", by: itself, actor },
    { name: "custom.data.assigned", by: itself, actor },
    { name: "note.added", by: undefined, actor },
    { name: "message.sent", by: undefined, actor },
    { name: "conversation.snoozed", by: itself, actor },
    { name: "conversation.unsnoozed", by: itself, actor },
    { name: "conversation.resolved", by: itself, actor },
    { name: "conversation.reopened", by: itself, actor },
  ]);
  const said = events.filter(({ name }) => name === "message.sent" || name === "note.added");
  expect(said.map(({ data }) => data.agent)).toEqual([
    { id: agentId, name: "Ada" },
    { id: agentId, name: "Ada" },
  ]);
});

test("an automation rule without an agent neither replies nor notes", async () => {
  const acme = await team();
  const silent = { ...automatedActors(acme).automation, agentId: null };
  const { conversationId } = await veraWrites(acme);
  const reply = { conversationId, type: "message" as const, content: "Hello", agentId: null, attachments: [] };
  await expect(app.perform(silent, sendMessage, reply)).rejects.toMatchObject({ reason: { name: "invalid" } });
  await expect(app.perform(silent, addNote, { conversationId, content: "Hm" })).rejects.toMatchObject({
    reason: { name: "obstacle", obstacle: "no-author" },
  });
});

test("the AI does everything that its rows say, named as an automation, and gives way to people as assistants do", async () => {
  const acme = await team();
  const { ai } = automatedActors(acme);
  const { conversationId } = await veraWrites(acme);
  const itself = { automation: { id: ai.aiId, name: "Robin" } };
  const reply = { conversationId, type: "message" as const, content: "We do.", agentId: null, attachments: [] };
  await app.perform(ai, searchArticles, { query: "shipping", limit: 5 });
  await app.perform(ai, readMessages, {
    conversationId,
    limit: 5,
    beforeSortNumber: undefined,
    includeSystem: false,
    includeInternal: true,
  });
  const events = await eventsOf(acme, async () => {
    await app.perform(ai, sendMessage, reply);
    await app.perform(ai, addNote, { conversationId, content: "Asked about Portugal." });
    await app.perform(ai, addTag, { conversationId, name: "Shipping" });
    await app.perform(ai, requestHandoff, { conversationId });
  });
  const told = events
    .filter(({ name }) => name !== "tag.created")
    .map(({ name, data }) => ({ name, by: doerIn(data) }));
  expect(told).toEqual([
    { name: "message.sent", by: undefined },
    { name: "note.added", by: undefined },
    { name: "tag.assigned", by: itself },
    { name: "handoff.requested", by: itself },
  ]);
  await expect(app.perform(ai, sendMessage, reply)).rejects.toMatchObject({
    reason: { name: "obstacle", obstacle: "handed-over" },
  });
  const resolved = await app.perform(ai, setConversationStatus, { conversationId, status: "resolved", agentId: null });
  expect(JSON.parse(resolved.resolved_by ?? "{}")).toEqual(itself);
});

test("a rule and the AI see every conversation of their team and none of another; an account of a channel sees none", async () => {
  const acme = await team();
  const other = await team();
  const { conversationId } = await veraWrites(acme);
  const sees = (actor: Actor) =>
    app
      .perform(actor, { name: "read-messages", mode: "read", run: (ctx) => findConversation(ctx, conversationId) }, {})
      .then(() => true)
      .catch((error) => (error.reason.name === "not-found" ? false : error.reason.name));
  const { automation, ai, channel } = automatedActors(acme);
  expect(await sees(ai)).toBe(true);
  expect(await sees({ ...ai, teamId: other.teamId })).toBe(false);
  const conversation = {
    account_id: acme.widgetId,
    widget_id: acme.widgetId,
    channel: "website",
    contact_id: runtime.newId(),
  };
  const found = (actor: Actor) => maySeeConversation(actor, conversation);
  expect([automation, ai, channel].map(found)).toEqual([true, true, false]);
  expect([automation, ai, channel].map((actor) => seesEverything(visibilityOf(actor)))).toEqual([true, true, false]);
});
