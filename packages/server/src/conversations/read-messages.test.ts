/** The tool list-conversation-messages, as an operation (decisions 54 and 66). */

import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { graceJoins } from "@frontdesk/testing/grace";
import { addLine } from "@frontdesk/testing/insert-rows";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, conversationOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { type MessagesToRead, readMessages } from "./read-messages.ts";

const { app, storage, runtime, team } = await startTestApp();

const read = (actor: Actor, conversationId: string, asked: Partial<MessagesToRead> = {}) =>
  app.perform(actor, readMessages, {
    conversationId,
    limit: 50,
    beforeSortNumber: undefined,
    includeSystem: false,
    includeInternal: false,
    ...asked,
  });
const contentsIn = ({ rows }: Awaited<ReturnType<typeof read>>) => rows.map(({ message }) => message.content);

/** A conversation in which Vera wrote 1, 2, 3 … and nothing else was said. */
async function counted(acme: TestTeam, count: number): Promise<string> {
  const { conversationId, contactId } = await veraWrites(acme, { content: "1" });
  for (let n = 2; n <= count; n += 1) await veraWrites(acme, { contact_id: contactId, content: String(n) });
  return conversationId;
}

test("messages come newest first, each with its number, its sender and its attachments", async () => {
  const acme = await team();
  const { conversationId, contactId, messageId } = await veraWrites(acme, { email: "vera@example.com" });
  const urls = ["https://acme.test/b.pdf", "https://acme.test/a.png"];
  const replyId = await adaReplies(acme, conversationId, { attachments: urls.map((url) => ({ url, name: "A file" })) });
  const { conversation, rows } = await read(assistantOf(acme), conversationId);
  expect(conversation.id).toBe(conversationId);
  expect(rows).toMatchObject([
    {
      message: {
        id: replyId,
        conversation_id: conversationId,
        sort_number: 2,
        type: "message",
        content: "We do, Vera.",
      },
      sender: acme.ada,
      attachments: urls.map((url) => ({ url })),
    },
    {
      message: { id: messageId, sort_number: 1, origin: "chat", content: "Do you ship to Portugal?" },
      sender: { id: contactId, name: "Vera", email: "vera@example.com" },
      attachments: [],
    },
  ]);
});

test("an agent who was deactivated meanwhile is still who wrote it", async () => {
  const acme = await team();
  const grace = await graceJoins({ app }, acme);
  const { conversationId } = await veraWrites(acme);
  await adaReplies(acme, conversationId, { agent_id: grace.id });
  await deactivate(storage, acme.teamId, grace.id);
  expect((await read(assistantOf(acme), conversationId)).rows[0]).toMatchObject({ sender: grace });
});

describe("system lines and internal messages", () => {
  test("come only when they are asked for, each kind by itself", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme, { content: "Hello" });
    await adaReplies(acme, conversationId, { type: "note", content: "A note" });
    await addLine({ storage, runtime }, acme, conversationId, { type: "system", content: "A system line" });
    await addLine({ storage, runtime }, acme, conversationId, { type: "reminder", content: "A reminder" });
    const robin = assistantOf(acme);
    expect(contentsIn(await read(robin, conversationId))).toEqual(["Hello"]);
    expect(contentsIn(await read(robin, conversationId, { includeSystem: true }))).toEqual(["A system line", "Hello"]);
    expect(contentsIn(await read(robin, conversationId, { includeInternal: true }))).toEqual([
      "A reminder",
      "A note",
      "Hello",
    ]);
    const all = await read(robin, conversationId, { includeSystem: true, includeInternal: true });
    expect(contentsIn(all)).toEqual(["A reminder", "A system line", "A note", "Hello"]);
    expect(all.rows.map(({ sender }) => sender?.name)).toEqual([undefined, undefined, "Ada", "Vera"]);
  });

  test("that are left out are no page by themselves: the limit counts what is answered", async () => {
    const acme = await team();
    const conversationId = await counted(acme, 2);
    for (let n = 0; n < 5; n += 1) await adaReplies(acme, conversationId, { type: "note", content: "A note" });
    await adaReplies(acme, conversationId, { content: "3" });
    const robin = assistantOf(acme);
    const first = await read(robin, conversationId, { limit: 2 });
    expect(contentsIn(first)).toEqual(["3", "2"]);
    const second = await read(robin, conversationId, { limit: 2, beforeSortNumber: first.nextBeforeSortNumber ?? "" });
    expect(contentsIn(second)).toEqual(["1"]);
    expect(second.nextBeforeSortNumber).toBeNull();
  });
});

describe("pages", () => {
  test("follow one another over every message once, and the last one leads nowhere", async () => {
    const acme = await team();
    const conversationId = await counted(acme, 7);
    const robin = assistantOf(acme);
    for (const limit of [1, 2, 3, 7, 100]) {
      const seen: (string | null)[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
        const page = await read(robin, conversationId, { limit, beforeSortNumber: cursor });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        seen.push(...contentsIn(page));
        cursor = page.nextBeforeSortNumber;
      }
      expect(cursor).toBeNull();
      expect(seen).toEqual(["7", "6", "5", "4", "3", "2", "1"]);
    }
  });

  test("stay stable while others write: no message is listed twice and none is left out", async () => {
    const acme = await team();
    const conversationId = await counted(acme, 4);
    const robin = assistantOf(acme);
    const first = await read(robin, conversationId, { limit: 2 });
    await adaReplies(acme, conversationId, { content: "new" });
    const second = await read(robin, conversationId, { limit: 2, beforeSortNumber: first.nextBeforeSortNumber ?? "" });
    expect([...contentsIn(first), ...contentsIn(second)]).toEqual(["4", "3", "2", "1"]);
  });

  test.each([
    ["0", []],
    ["1", []],
    ["2", ["1"]],
    ["002", ["1"]],
    ["3", ["2", "1"]],
    ["999999999999999", ["3", "2", "1"]],
  ])("before_sort_number %s: what has a lower number", async (beforeSortNumber, contents) => {
    const acme = await team();
    const conversationId = await counted(acme, 3);
    const page = await read(assistantOf(acme), conversationId, { beforeSortNumber });
    expect(contentsIn(page)).toEqual(contents);
    expect(page.nextBeforeSortNumber).toBeNull();
  });

  test.each(["", " ", "-1", "+1", "1.5", "1e3", "0x1", "٣", "null", "1 ", "9".repeat(16), "1; DROP TABLE messages"])(
    "before_sort_number %j is no number and refused on that field, saying what is one",
    async (beforeSortNumber) => {
      const acme = await team();
      const conversationId = await counted(acme, 1);
      await expect(read(assistantOf(acme), conversationId, { beforeSortNumber })).rejects.toMatchObject({
        reason: {
          name: "invalid",
          errors: { before_sort_number: [expect.stringContaining("next_before_sort_number")] },
        },
      });
    },
  );
});

test("reading leaves the conversation unread: only people read for the team", async () => {
  const acme = await team();
  const conversationId = await counted(acme, 2);
  await read(assistantOf(acme), conversationId);
  expect((await conversationOf(acme, conversationId)).unread_messages).toBe(2);
});

test("what the assistant may not see, another team's, an unknown id and no id are not found alike", async () => {
  const [acme, sams] = [await team(), await team()];
  const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
  const conversationId = await counted(acme, 1);
  const gone = { message: "Conversation not found.", reason: { name: "not-found", what: "conversation" } };
  await expect(read(assistantOf(acme, { widgets: [shop.id] }), conversationId)).rejects.toMatchObject(gone);
  // Said before the cursor is looked at, as it is for an unknown id.
  await expect(
    read(assistantOf(acme, { widgets: [] }), conversationId, { beforeSortNumber: "x" }),
  ).rejects.toMatchObject(gone);
  for (const id of [conversationId, ...NO_IDS]) await expect(read(assistantOf(sams), id)).rejects.toMatchObject(gone);
  expect((await read(assistantOf(acme, { widgets: [acme.widgetId] }), conversationId)).rows).toHaveLength(1);
});

test("without the permission read_conversation_messages nothing is read", async () => {
  const acme = await team();
  const conversationId = await counted(acme, 1);
  const robin = assistantOf(acme, { permissions: ["read_conversations"] });
  await expect(read(robin, conversationId)).rejects.toMatchObject({ reason: { name: "not-allowed" } });
});
