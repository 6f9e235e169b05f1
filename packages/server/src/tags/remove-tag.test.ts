/** The tool remove-tag as an operation, and the event tag.removed (decisions 47, 56 and 72). */

import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { addTag } from "./add-tag.ts";
import { listTags } from "./list-tags.ts";
import { removeTag } from "./remove-tag.ts";

const { app, storage, team, clock } = await startTestApp();

const remove = (acme: TestTeam, conversationId: string, name: string, agentId?: string) =>
  app.perform(acme.actor, removeTag, { conversationId, name, by: agentId ? { agentId } : undefined });

/** A conversation of Vera's that is tagged "Gift card". */
async function taggedConversation(acme: TestTeam) {
  const written = await veraWrites(acme);
  const { tag } = await app.perform(acme.actor, addTag, { ...written, name: "Gift card", color: "teal" });
  return { ...written, tag };
}

test("the tag is taken off this conversation alone; the team keeps it", async () => {
  const acme = await team();
  const { conversationId, tag } = await taggedConversation(acme);
  const other = await taggedConversation(acme);
  const removed = await remove(acme, conversationId, " gift CARD ");
  expect(removed).toMatchObject({ tag, conversation: { id: conversationId } });
  expect(await app.perform(acme.actor, listTags, {})).toEqual([tag]);
  const left = await query(storage, `SELECT conversation_id FROM conversation_tags WHERE tag_id = '${tag.id}'`);
  expect(left).toEqual([{ conversation_id: other.conversationId }]);
});

test("it records tag.removed once, with the first spelling of the name and who removed it", async () => {
  const acme = await team();
  const { conversationId, contactId } = await taggedConversation(acme);
  clock.advance(1_000);
  const [event, ...others] = await eventsOf(acme, () => remove(acme, conversationId, "GIFT CARD", acme.ada.id));
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "tag.removed", conversation_id: conversationId, contact_id: contactId });
  expect(event?.data).toEqual({
    conversation: {
      id: conversationId,
      channel: "website",
      status: "open",
      widget_name: "Website",
      identifier: acme.widgetId,
    },
    visitor: { id: contactId, name: "Vera", email: null, phone: null },
    tag: { name: "Gift card" },
    removed_by: { agent: acme.ada },
  });
});

test("a tag that is not on the conversation is refused: one of the team, an unknown one, and the same one again", async () => {
  const acme = await team();
  const { conversationId } = await taggedConversation(acme);
  const bare = await veraWrites(acme);
  await remove(acme, conversationId, "Gift card");
  const before = await dump(storage);
  for (const [id, name] of [
    [conversationId, "Gift card"],
    [bare.conversationId, "Gift card"],
    [bare.conversationId, "nobody has this"],
  ] as const) {
    await expect(remove(acme, id, name)).rejects.toMatchObject({
      message: "Tag not found.",
      reason: { name: "not-found", what: "tag" },
    });
  }
  expect(await dump(storage)).toBe(before);
});

test("it can be added again, with an event again", async () => {
  const acme = await team();
  const { conversationId, tag } = await taggedConversation(acme);
  await remove(acme, conversationId, "Gift card");
  const events = await eventsOf(acme, async () => {
    const again = await app.perform(acme.actor, addTag, { conversationId, name: "gift card" });
    expect(again.tag).toEqual(tag);
  });
  expect(events.map(({ name }) => name)).toEqual(["tag.assigned"]);
});

test("of several who remove it at once, one does and the others are refused", async () => {
  const acme = await team();
  const { conversationId } = await taggedConversation(acme);
  const events = await eventsOf(acme, async () => {
    const asked = Array.from({ length: 10 }, () => remove(acme, conversationId, "Gift card"));
    const outcomes = (await Promise.allSettled(asked)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === "fulfilled")).toHaveLength(1);
  });
  expect(events.map(({ name }) => name)).toEqual(["tag.removed"]);
});

test.each(["", "x".repeat(101), "gift\0", "\ud83d"])("a text that is no name is refused on name: %j", async (name) => {
  const acme = await team();
  const { conversationId } = await taggedConversation(acme);
  await expect(remove(acme, conversationId, name)).rejects.toMatchObject({
    reason: { name: "invalid", errors: { name: [expect.any(String)] } },
  });
});

test("another team's conversation and tag are as unknown ones", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await taggedConversation(acme);
  const his = await veraWrites(sams);
  const before = await dump(storage);
  for (const id of [conversationId, ...NO_IDS]) {
    await expect(remove(sams, id, "Gift card")).rejects.toMatchObject({
      reason: { name: "not-found", what: "conversation" },
    });
  }
  await expect(remove(sams, his.conversationId, "Gift card")).rejects.toMatchObject({
    reason: { name: "not-found", what: "tag" },
  });
  expect(await dump(storage)).toBe(before);
});
