/** The tool list-conversations, as an operation (decisions 54 and 66). */

import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { addLine, comesBy } from "@frontdesk/testing/insert-rows";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { type BrowsedStatus, browseConversations } from "./browse-conversations.ts";

const { app, storage, runtime, team, clock } = await startTestApp();

const browse = (actor: Actor, asked: Partial<{ status: BrowsedStatus; page: number; limit: number }> = {}) =>
  app.perform(actor, browseConversations, { status: "all", page: 1, limit: 25, ...asked });
const idsIn = ({ rows }: Awaited<ReturnType<typeof browse>>) => rows.map(({ conversation }) => conversation.id);

/** Vera writes in conversations of their own, a second apart. Answers their ids, oldest first. */
async function conversations(acme: TestTeam, count: number, widgetId = acme.widgetId): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    clock.advance(1_000);
    ids.push((await veraWrites(acme, { widget_id: widgetId })).conversationId);
  }
  return ids;
}

/** Acme has a second widget. */
async function secondWidget(acme: TestTeam): Promise<string> {
  return (await app.perform(acme.actor, createWidget, { name: "Shop" })).id;
}

describe("the order", () => {
  test("is newest activity first, whatever the status", async () => {
    const acme = await team();
    const [first, second, third] = (await conversations(acme, 3)) as [string, string, string];
    await adaSets(acme, second, "resolved");
    expect(idsIn(await browse(assistantOf(acme)))).toEqual([third, second, first]);
    clock.advance(1_000);
    await adaReplies(acme, first);
    expect(idsIn(await browse(assistantOf(acme)))).toEqual([first, third, second]);
    expect(idsIn(await browse(acme.actor))).toEqual([first, third, second]);
  });

  test("is by id where the activity was at the same moment, and every page is its piece of it", async () => {
    const acme = await team();
    const widgetId = await secondWidget(acme);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { conversationId } = await veraWrites(acme, { widget_id: n % 4 ? acme.widgetId : widgetId });
      if (n % 3 === 0) await adaSets(acme, conversationId, "resolved");
      ids.unshift(conversationId);
    }
    const everything = assistantOf(acme);
    const notTheShop = assistantOf(acme, { widgets: [acme.widgetId] });
    for (const [actor, whole] of [
      [everything, ids.toSorted().toReversed()],
      [
        notTheShop,
        ids
          .filter((_, index) => (11 - index) % 4)
          .toSorted()
          .toReversed(),
      ],
    ] as const) {
      const paged: string[] = [];
      for (let page = 1; page <= whole.length; page += 1) paged.push(...idsIn(await browse(actor, { page, limit: 1 })));
      expect(paged).toEqual(whole);
    }
  });
});

test("status unresolved shows the open ones alone, resolved the resolved ones", async () => {
  const acme = await team();
  const [first, second, third] = (await conversations(acme, 3)) as [string, string, string];
  await adaSets(acme, first, "resolved");
  await adaSets(acme, third, "resolved");
  const robin = assistantOf(acme);
  expect(idsIn(await browse(robin, { status: "unresolved" }))).toEqual([second]);
  expect(idsIn(await browse(robin, { status: "resolved" }))).toEqual([third, first]);
  await adaSets(acme, third, "open");
  expect(idsIn(await browse(robin, { status: "unresolved" }))).toEqual([third, second]);
  expect(idsIn(await browse(robin, { status: "resolved" }))).toEqual([first]);
});

test("a row holds the conversation, its contact and the last message that is no system line", async () => {
  const acme = await team();
  const { conversationId, contactId, messageId } = await veraWrites(acme, { email: "vera@example.com" });
  const robin = assistantOf(acme);
  const only = async () => (await browse(robin)).rows[0];
  expect(await only()).toMatchObject({
    conversation: {
      id: conversationId,
      widget_id: acme.widgetId,
      channel: "website",
      is_resolved: 0,
      first_page_url: null,
    },
    contact: { id: contactId, name: "Vera", email: "vera@example.com" },
    lastMessage: {
      id: messageId,
      content: "Do you ship to Portugal?",
      type: "message",
      origin: "chat",
      agent_id: null,
    },
  });
  const replyId = await adaReplies(acme, conversationId);
  expect(await only()).toMatchObject({ lastMessage: { id: replyId, agent_id: acme.ada.id } });
  await addLine({ storage, runtime }, acme, conversationId, { type: "system", content: "Ada has joined." });
  expect(await only()).toMatchObject({ lastMessage: { id: replyId } });
  const noteId = await adaReplies(acme, conversationId, { type: "note", content: "She asked twice." });
  expect(await only()).toMatchObject({ lastMessage: { id: noteId, type: "note" } });
});

describe("pages", () => {
  test("hasMore says whether a page follows, also when the last one is full", async () => {
    const acme = await team();
    const ids = (await conversations(acme, 4)).toReversed();
    const robin = assistantOf(acme);
    expect(await browse(robin, { limit: 3 })).toMatchObject({ hasMore: true });
    expect(idsIn(await browse(robin, { limit: 3, page: 2 }))).toEqual(ids.slice(3));
    expect(await browse(robin, { limit: 3, page: 2 })).toMatchObject({ hasMore: false });
    for (const page of [1, 2]) {
      const answer = await browse(robin, { limit: 2, page });
      expect({ ids: idsIn(answer), hasMore: answer.hasMore }).toEqual({
        ids: ids.slice(2 * page - 2, 2 * page),
        hasMore: page === 1,
      });
    }
  });

  test.each([2, 6, 10_000])("page %i, beyond the last, is empty and the last", async (page) => {
    const acme = await team();
    await conversations(acme, 2);
    for (const status of ["all", "unresolved", "resolved"] as const) {
      for (const actor of [assistantOf(acme), assistantOf(acme, { widgets: [acme.widgetId] })]) {
        expect(await browse(actor, { status, page, limit: 100 })).toEqual({ rows: [], hasMore: false });
      }
    }
  });

  test("a team without conversations has one page, an empty one", async () => {
    expect(await browse(assistantOf(await team()))).toEqual({ rows: [], hasMore: false });
  });

  test("what is written between two pages is ahead of them: nothing that stayed where it was is left out", async () => {
    const acme = await team();
    const ids = (await conversations(acme, 6)).toReversed();
    const robin = assistantOf(acme, { widgets: [acme.widgetId] });
    const first = idsIn(await browse(robin, { limit: 3 }));
    expect(first).toEqual(ids.slice(0, 3));
    await conversations(acme, 1);
    await adaReplies(acme, ids[5] as string);
    const rest = [
      ...idsIn(await browse(robin, { limit: 3, page: 2 })),
      ...idsIn(await browse(robin, { limit: 3, page: 3 })),
    ];
    expect(new Set([...first, ...rest])).toEqual(new Set(ids.slice(0, 5)));
  });
});

describe("an assistant sees", () => {
  test("only conversations of the widgets that it was granted, in full pages", async () => {
    const acme = await team();
    const shop = await secondWidget(acme);
    const visible: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      visible.unshift(...(await conversations(acme, 1)));
      await conversations(acme, 2, shop);
    }
    await adaSets(acme, visible[1] as string, "resolved");
    const robin = assistantOf(acme, { widgets: [acme.widgetId], channels: [] });
    expect(await browse(robin, { limit: 4 })).toMatchObject({ hasMore: false });
    expect(idsIn(await browse(robin, { limit: 4 }))).toEqual(visible);
    expect(idsIn(await browse(robin, { limit: 3 }))).toEqual(visible.slice(0, 3));
    expect(idsIn(await browse(robin, { limit: 3, page: 2 }))).toEqual(visible.slice(3));
    expect(idsIn(await browse(robin, { status: "resolved" }))).toEqual(visible.slice(1, 2));
    expect(idsIn(await browse(assistantOf(acme, { widgets: [shop] }), { limit: 100 }))).toHaveLength(8);
    expect(idsIn(await browse(assistantOf(acme, { widgets: [acme.widgetId, shop] })))).toHaveLength(12);
  });

  test("conversations of other channels by the channel, whatever their widget", async () => {
    const acme = await team();
    const [website, mail, post] = (await conversations(acme, 3)) as [string, string, string];
    await comesBy(storage, acme, mail, "email");
    await comesBy(storage, acme, post, "whatsapp");
    const seen = async (granted: Parameters<typeof assistantOf>[1]) => idsIn(await browse(assistantOf(acme, granted)));
    expect(await seen({ widgets: "all", channels: [] })).toEqual([website]);
    expect(await seen({ widgets: [acme.widgetId], channels: [] })).toEqual([website]);
    expect(await seen({ widgets: [], channels: ["email"] })).toEqual([mail]);
    expect(await seen({ widgets: [], channels: "all" })).toEqual([post, mail]);
    expect(await seen({ widgets: [acme.widgetId], channels: ["whatsapp"] })).toEqual([post, website]);
    expect(await seen({ widgets: "all", channels: "all" })).toEqual([post, mail, website]);
    expect(await seen({ widgets: [], channels: [] })).toEqual([]);
  });

  test("nothing of another team, also when it names that team's widget", async () => {
    const [acme, sams] = [await team(), await team()];
    await conversations(acme, 2);
    expect(await browse(assistantOf(sams))).toEqual({ rows: [], hasMore: false });
    expect(await browse(assistantOf(sams, { widgets: [acme.widgetId] }))).toEqual({ rows: [], hasMore: false });
  });

  test("nothing without the permission read_conversations", async () => {
    const acme = await team();
    const robin = assistantOf(acme, { permissions: ["read_conversation_messages", "search_contacts"] });
    await expect(browse(robin)).rejects.toMatchObject({ reason: { name: "not-allowed" } });
  });
});
