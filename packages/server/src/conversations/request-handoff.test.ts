/** The tool handoff-to-human, "Return to assistant", and what keeps an assistant from replying (decisions 22, 58, 69). */
import type { Obstacle } from "@frontdesk/core/domain/conversation";
import { reasonText } from "@frontdesk/core/domain/reasons";
import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { block } from "@frontdesk/testing/insert-rows";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, eventNamesOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { addNote } from "./add-note.ts";
import { openConversation } from "./open-conversation.ts";
import { requestHandoff } from "./request-handoff.ts";
import { returnToAssistant } from "./return-to-assistant.ts";
import { sendMessage } from "./send-message.ts";

const { app, storage, team, clock } = await startTestApp();

const request = (actor: Actor, conversationId: string) => app.perform(actor, requestHandoff, { conversationId });
const giveBack = (acme: TestTeam, conversationId: string) =>
  app.perform(acme.actor, returnToAssistant, { conversationId, by: { agentId: acme.ada.id } });
const says = (actor: Actor, conversationId: string) =>
  app.perform(actor, sendMessage, {
    conversationId,
    type: "message",
    content: "Hello Vera",
    agentId: undefined,
    attachments: [],
  });
const requestedAt = async (acme: TestTeam, conversationId: string) =>
  (await app.perform(acme.actor, openConversation, { conversationId })).conversation.handoff_requested_at;
const hindered = (obstacle: Obstacle) => ({
  message: reasonText[`obstacle.${obstacle}`],
  reason: { name: "obstacle", obstacle },
});

describe("a handoff", () => {
  test("is requested once; asking again keeps the first moment and records nothing", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    expect(await requestedAt(acme, conversationId)).toBeNull();
    const robin = assistantOf(acme);
    expect(await request(robin, conversationId)).toMatchObject({
      id: conversationId,
      handoff_requested_at: clock.now(),
    });
    const moment = clock.now();
    const before = await dump(storage);
    clock.advance(60_000);
    expect(await request(assistantOf(acme), conversationId)).toMatchObject({ handoff_requested_at: moment });
    expect(await dump(storage)).toBe(before);
  });

  test("is announced by handoff.requested, and its end by handoff.ended, with who did it", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    const robin = assistantOf(acme);
    const events = await eventsOf(acme, async () => {
      await request(robin, conversationId);
      await giveBack(acme, conversationId);
    });
    const about = {
      conversation: {
        id: conversationId,
        channel: "website",
        status: "open",
        widget_name: "Website",
        identifier: acme.widgetId,
      },
      visitor: { id: contactId, name: "Vera", email: null, phone: null },
    };
    expect(events).toMatchObject([
      { name: "handoff.requested", conversation_id: conversationId, contact_id: contactId },
      { name: "handoff.ended", conversation_id: conversationId, contact_id: contactId },
    ]);
    expect(events.map(({ data }) => data)).toEqual([
      { ...about, requested_by: { automation: { id: robin.assistantId, name: "Robin" } } },
      { ...about, ended_by: { agent: acme.ada } },
    ]);
    expect(events[0]?.actor).toEqual({ kind: "assistant", id: robin.assistantId });
  });

  test("outlasts what Ada and Vera write", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    await request(assistantOf(acme), conversationId);
    await adaReplies(acme, conversationId);
    await veraWrites(acme, { contact_id: contactId });
    expect(await requestedAt(acme, conversationId)).toBe(clock.now());
    await expect(says(assistantOf(acme), conversationId)).rejects.toMatchObject(hindered("handed-over"));
  });

  test("ends when the conversation is resolved, and is not there when it is opened again", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    await request(assistantOf(acme), conversationId);
    const events = await eventsOf(acme, () => adaSets(acme, conversationId, "resolved"));
    expect(events.map(({ name }) => name)).toEqual(["conversation.resolved", "handoff.ended"]);
    expect(events[1]?.data).toMatchObject({ ended_by: { agent: acme.ada } });
    expect(await requestedAt(acme, conversationId)).toBeNull();
    await veraWrites(acme, { contact_id: contactId });
    expect(await requestedAt(acme, conversationId)).toBeNull();
    await says(assistantOf(acme), conversationId);
    expect(await eventNamesOf(acme, () => adaSets(acme, conversationId, "resolved"))).toEqual([
      "conversation.resolved",
    ]);
  });

  test("ends by Return to assistant; where none is requested that changes nothing", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    await request(assistantOf(acme), conversationId);
    expect(await giveBack(acme, conversationId)).toMatchObject({ id: conversationId, handoff_requested_at: null });
    expect(await requestedAt(acme, conversationId)).toBeNull();
    await says(assistantOf(acme), conversationId);
    const before = await dump(storage);
    expect(await giveBack(acme, conversationId)).toMatchObject({ handoff_requested_at: null });
    expect(await dump(storage)).toBe(before);
  });

  test("is refused in a resolved conversation, which no agent looks at", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    await adaSets(acme, conversationId, "resolved");
    const before = await dump(storage);
    await expect(request(assistantOf(acme), conversationId)).rejects.toMatchObject(hindered("resolved"));
    expect(await dump(storage)).toBe(before);
    await adaSets(acme, conversationId, "open");
    await request(assistantOf(acme), conversationId);
    expect(await requestedAt(acme, conversationId)).toBe(clock.now());
  });

  test("of what the assistant may not see, another team's, an unknown id and no id is not found alike", async () => {
    const [acme, sams] = [await team(), await team()];
    const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
    const { conversationId } = await veraWrites(acme);
    const before = await dump(storage);
    const gone = { message: "Conversation not found.", reason: { name: "not-found", what: "conversation" } };
    await expect(request(assistantOf(acme, { widgets: [shop.id] }), conversationId)).rejects.toMatchObject(gone);
    for (const id of [conversationId, ...NO_IDS]) {
      await expect(request(assistantOf(sams), id)).rejects.toMatchObject(gone);
      await expect(giveBack(sams, id)).rejects.toMatchObject(gone);
    }
    expect(await dump(storage)).toBe(before);
  });

  test("is not requested without the permission, and never ended by an assistant", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const refused = { reason: { name: "not-allowed" } };
    const robin = assistantOf(acme, { permissions: ["send_replies", "resolve_conversations"] });
    await expect(request(robin, conversationId)).rejects.toMatchObject(refused);
    await expect(app.perform(assistantOf(acme), returnToAssistant, { conversationId })).rejects.toMatchObject(refused);
  });
});

describe("an assistant", () => {
  test("replies as its agent while there is no obstacle", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const written = await says(assistantOf(acme), conversationId);
    expect(written).toMatchObject({ agent: { id: acme.ada.id }, message: { type: "message", sent_via: "assistant" } });
  });

  test("does not reply after a handoff, in a resolved conversation, or to a blocked visitor; its notes are taken", async () => {
    const acme = await team();
    const robin = assistantOf(acme);
    const [handedOver, resolved, blocked] = [await veraWrites(acme), await veraWrites(acme), await veraWrites(acme)];
    await request(robin, handedOver.conversationId);
    await adaSets(acme, resolved.conversationId, "resolved");
    await block(storage, acme, blocked.contactId);
    for (const [{ conversationId }, obstacle] of [
      [handedOver, "handed-over"],
      [resolved, "resolved"],
      [blocked, "blocked"],
    ] as const) {
      const before = await dump(storage);
      await expect(says(robin, conversationId)).rejects.toMatchObject(hindered(obstacle));
      expect(await dump(storage)).toBe(before);
      const noted = await app.perform(robin, addNote, { conversationId, content: "Wants a call" });
      expect(noted).toMatchObject({ message: { type: "note" } });
    }
  });

  test("gets the obstacle before any refusal about who would reply", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const mute = assistantOf(acme, { agentId: null });
    await expect(says(mute, conversationId)).rejects.toMatchObject(hindered("no-agent"));
    await request(mute, conversationId);
    await expect(says(mute, conversationId)).rejects.toMatchObject(hindered("handed-over"));
  });
});

test("people and programs reply in spite of a handoff, a resolution and a block", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  await request(assistantOf(acme), conversationId);
  await adaReplies(acme, conversationId);
  await adaSets(acme, conversationId, "resolved");
  await block(storage, acme, contactId);
  await adaReplies(acme, conversationId);
});
