/** The tool add-tag as an operation, and the event tag.assigned (decisions 47 and 56). */

import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { addTag, type NewTag } from "./add-tag.ts";
import { listTags } from "./list-tags.ts";

const { app, storage, team, clock } = await startTestApp();

const add = (acme: TestTeam, input: NewTag) => app.perform(acme.actor, addTag, input);
const tagsOf = (acme: TestTeam) => app.perform(acme.actor, listTags, {});

test("a tag that the team does not have yet is made, and put on the conversation", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  clock.advance(1_000);
  const { tag, conversation } = await add(acme, { conversationId, name: "  Gift card ", color: "#0a7d55" });
  expect(tag).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Gift card", color: "#0a7d55" });
  expect(conversation).toMatchObject({ id: conversationId, contact_id: contactId });
  expect(await tagsOf(acme)).toEqual([tag]);
  expect(await onConversations(acme)).toEqual([
    { team_id: acme.teamId, conversation_id: conversationId, tag_id: tag.id, created_at: clock.now() },
  ]);
});

test("it records tag.created for a new tag and tag.assigned for the conversation, each once", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  clock.advance(1_000);
  const events = await eventsOf(acme, () => add(acme, { conversationId, name: "shipping" }));
  const [{ id } = { id: "" }] = await tagsOf(acme);
  expect(events).toMatchObject([
    { name: "tag.created", conversation_id: null, data: { tag: { id, name: "shipping", color: null } } },
    { name: "tag.assigned", conversation_id: conversationId, contact_id: contactId, occurred_at: clock.now() },
  ]);
  expect(events[1]?.data).toEqual({
    conversation: {
      id: conversationId,
      channel: "website",
      status: "open",
      widget_name: "Website",
      identifier: acme.widgetId,
    },
    visitor: { id: contactId, name: "Vera", email: null, phone: null },
    tag: { name: "shipping" },
    assigned_by: { system: {} },
  });
});

test("a tag of the team is found by its folded name; its first spelling and color stay", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const first = await add(acme, { conversationId, name: "Größe", color: "teal" });
  for (const name of ["größe", "GRÖßE", " Gro\u0308ße ", "Ｇröße"]) {
    const other = await veraWrites(acme);
    const events = await eventsOf(acme, async () => {
      const { tag } = await add(acme, { conversationId: other.conversationId, name, color: "red" });
      expect(tag).toEqual(first.tag);
    });
    expect(events).toMatchObject([{ name: "tag.assigned", data: { tag: { name: "Größe" } } }]);
  }
  expect(await tagsOf(acme)).toEqual([first.tag]);
});

test("a tag that is on the conversation already stays, and no second event is recorded", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const first = await add(acme, { conversationId, name: "refund", color: "red" });
  const before = await dump(storage);
  for (const name of ["refund", "REFUND", " Refund "]) {
    clock.advance(1_000);
    expect(await add(acme, { conversationId, name, color: "blue" })).toEqual(first);
  }
  expect(await dump(storage)).toBe(before);
});

test("of many who add the same new tag at once, one makes it and one puts it there", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const events = await eventsOf(acme, async () => {
    const added = await Promise.all(Array.from({ length: 20 }, () => add(acme, { conversationId, name: "rush" })));
    expect(new Set(added.map(({ tag }) => tag.id)).size).toBe(1);
  });
  expect(events.map(({ name }) => name)).toEqual(["tag.created", "tag.assigned"]);
});

test("a resolved conversation can be tagged, and stays resolved", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  await acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved" });
  const [, event] = await eventsOf(acme, () => add(acme, { conversationId, name: "refund" }));
  expect(event?.data).toMatchObject({ conversation: { id: conversationId, status: "resolved" } });
});

describe("bounds", () => {
  // The widest name there is: it folds to 1,800 characters.
  test.each(["x", "🎁".repeat(100), "\ufdfa".repeat(100), "a tag\u200d", "__proto__", "'; drop table tags --"])(
    "a name of 1 to 100 characters is taken as it is: %s",
    async (name) => {
      const acme = await team();
      const { conversationId } = await veraWrites(acme);
      expect((await add(acme, { conversationId, name })).tag.name).toBe(name);
      expect((await tagsOf(acme)).map((tag) => tag.name)).toEqual([name]);
    },
  );

  test.each([
    ["no name", { name: "" }, "name"],
    ["a name of white space", { name: " \t " }, "name"],
    ["a name of 101 characters", { name: "🎁".repeat(101) }, "name"],
    ["a name of two lines", { name: "gift\ncard" }, "name"],
    ["a name with NUL", { name: "gift\0" }, "name"],
    ["a name with half a character", { name: "gift \ud83d" }, "name"],
    ["a color of 51 characters", { color: "c".repeat(51) }, "color"],
    ["a color with NUL", { color: "re\0d" }, "color"],
  ])("%s is refused on its field, and leaves nothing", async (_what, wrong, field) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const before = await dump(storage);
    await expect(add(acme, { conversationId, name: "gift", ...wrong })).rejects.toMatchObject({
      reason: { name: "invalid", errors: { [field]: [expect.any(String)] } },
    });
    expect(await dump(storage)).toBe(before);
  });

  test.each([
    ["c".repeat(50), "c".repeat(50)],
    [" teal ", "teal"],
    ["", null],
    ["  ", null],
    [null, null],
    [undefined, null],
  ])("the color %j of a new tag is kept as %j", async (color, kept) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    expect((await add(acme, { conversationId, name: "gift", color })).tag.color).toBe(kept);
  });
});

test("a conversation that is unknown, another team's, or no id at all is refused, and no tag is made", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId, contactId } = await veraWrites(acme);
  const before = await dump(storage);
  for (const id of [conversationId, contactId, ...NO_IDS]) {
    await expect(add(sams, { conversationId: id, name: "gift" })).rejects.toMatchObject({
      message: "Conversation not found.",
      reason: { name: "not-found", what: "conversation" },
    });
  }
  expect(await dump(storage)).toBe(before);
});

test("who named another team's agent as the one who adds it is refused, and no tag is made", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  const before = await dump(storage);
  const by = { agentId: sams.ada.id };
  await expect(add(acme, { conversationId, name: "gift", by })).rejects.toMatchObject({ reason: { name: "invalid" } });
  expect(await dump(storage)).toBe(before);
});

test("two teams have the same name each for itself", async () => {
  const [acme, sams] = [await team(), await team()];
  const mine = await add(acme, { conversationId: (await veraWrites(acme)).conversationId, name: "VIP", color: "gold" });
  const theirs = await add(sams, { conversationId: (await veraWrites(sams)).conversationId, name: "vip" });
  expect(theirs.tag).toMatchObject({ name: "vip", color: null });
  expect(await tagsOf(acme)).toEqual([mine.tag]);
  expect(await tagsOf(sams)).toEqual([theirs.tag]);
});

const onConversations = (acme: TestTeam) =>
  query(storage, `SELECT * FROM conversation_tags WHERE team_id = '${acme.teamId}'`);
