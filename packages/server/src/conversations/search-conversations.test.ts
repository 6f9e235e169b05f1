/** The tool search-conversations, as an operation (decisions 54 and 59). */
import { searchable, searchText, searchWords } from "@frontdesk/core/domain/search-text";
import { stemOf } from "@frontdesk/core/domain/word-forms";
import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { addLine, comesBy, pretendMessages } from "@frontdesk/testing/insert-rows";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { receiveVisitorMessage } from "./receive-visitor-message.ts";
import { MESSAGES_SEARCHED, searchConversations } from "./search-conversations.ts";

const { app, storage, runtime, team, clock } = await startTestApp();

const search = (actor: Actor, query: string, limit = 20) => app.perform(actor, searchConversations, { query, limit });
const found = async (actor: Actor, query: string, limit?: number) =>
  (await search(actor, query, limit)).map(({ conversation }) => conversation.id);

/** A new visitor writes, a second after the last one. Answers the conversation. */
async function writes(acme: TestTeam, content: string, who: Record<string, unknown> = {}): Promise<string> {
  clock.advance(1_000);
  return (await veraWrites(acme, { content, ...who })).conversationId;
}

describe("a conversation is found", () => {
  test("by a part of the contact's name or e-mail, or of a message of anybody, whatever the case", async () => {
    const acme = await team();
    const vera = await writes(acme, "Where is order A-4711?", { name: "Vera Voss", email: "v.voss@Example.com" });
    await adaReplies(acme, vera, { content: "It is in Weißenburg.\nSorry!" });
    await adaReplies(acme, vera, { content: "Courier photo shows a blue door.", type: "note" });
    await writes(acme, "Something else", { name: "Phoebe" });
    const robin = assistantOf(acme);
    for (const query of [
      ...["era vo", "VERA", "voss@ex", "a-4711", "order", "?", "4", "weiẞenburg", "\nsorry", "blue door", "  photo "],
      ...["ｖｅｒａ", "v.", "ss"],
    ]) {
      expect(await found(robin, query), query).toEqual([vera]);
    }
  });

  test("by several words, each in the contact or in any message, in any order and form", async () => {
    const acme = await team();
    const vera = await writes(acme, "Where is my order?", { name: "Ana Delgado", email: "ana@mueller.example" });
    await adaReplies(acme, vera, { content: "The blanket left today." });
    const other = await writes(acme, "Where is my order?", { name: "Robin", email: "robin@example.com" });
    const robin = assistantOf(acme);
    for (const query of ["delgado order", "ORDERS Delgado", "blankets ana", "delgado today where", "müller blanket"]) {
      expect(await found(robin, query), query).toEqual([vera]);
    }
    expect(await found(robin, "where order")).toEqual([other, vera]);
    expect(await found(robin, "delgado refund")).toEqual([]);
    // An assistant gets what it has asked for, and no typos of it.
    expect(await found(robin, "blankt")).toEqual([]);
  });

  test("not by one word across two messages or across name and e-mail, by a phone, a system line or an id", async () => {
    const acme = await team();
    const who = { name: "Vera Voss", email: "v.voss@example.com", phone: "+4915112345678" };
    const vera = await writes(acme, "one", who);
    await adaReplies(acme, vera, { content: "two" });
    await addLine({ storage, runtime }, acme, vera, { type: "system", content: "Ada has joined." });
    const robin = assistantOf(acme);
    for (const query of ["onetwo", "twoone", "vossv.voss", "one three", "49151", "joined", vera, "v%", "_", "o*e"]) {
      expect(await found(robin, query), query).toEqual([]);
    }
    expect(await found(robin, "two")).toEqual([vera]);
  });

  test("once, however often it holds the text, with its contact", async () => {
    const acme = await team();
    const vera = await writes(acme, "Hello", { name: "Hello Vera", email: "hello@example.com" });
    await adaReplies(acme, vera, { content: "Hello, hello!" });
    expect(await search(assistantOf(acme), "hello")).toMatchObject([
      {
        conversation: { id: vera, channel: "website", is_resolved: 0 },
        contact: { name: "Hello Vera", email: "hello@example.com" },
      },
    ]);
  });
});

test("newest activity comes first, whatever the status, at most as many as were asked for", async () => {
  const acme = await team();
  const [first, second, third] = [await writes(acme, "tea"), await writes(acme, "tea"), await writes(acme, "tea")];
  await adaSets(acme, second, "resolved");
  const robin = assistantOf(acme);
  for (const query of ["tea", "te", "vera", "  "]) {
    expect(await found(robin, query), query).toEqual([third, second, first]);
    expect(await found(robin, query, 2), query).toEqual([third, second]);
    expect(await found(robin, query, 1), query).toEqual([third]);
  }
  clock.advance(1_000);
  await adaReplies(acme, first, { content: "coffee" });
  expect(await found(robin, "tea")).toEqual([first, third, second]);
});

describe("an assistant finds", () => {
  test("only what it may see, and as much of it as if there were nothing else", async () => {
    const acme = await team();
    const shop = (await app.perform(acme.actor, createWidget, { name: "Shop" })).id;
    const mine = [await writes(acme, "tea"), await writes(acme, "tea")].toReversed();
    const hidden: string[] = [];
    for (let n = 0; n < 60; n += 1) hidden.unshift(await writes(acme, "tea", { widget_id: shop }));
    const mail = await writes(acme, "tea", { widget_id: shop });
    await comesBy(storage, acme, mail, "email");
    const robin = assistantOf(acme, { widgets: [acme.widgetId], channels: [] });
    for (const query of ["tea", "te", "vera", "ve"]) {
      expect(await found(robin, query, 50), query).toEqual(mine);
      expect(await found(robin, query, 1), query).toEqual(mine.slice(0, 1));
      expect(await found(assistantOf(acme, { widgets: [], channels: ["email"] }), query), query).toEqual([mail]);
      expect(await found(assistantOf(acme, { widgets: [shop], channels: [] }), query, 50), query).toEqual(
        hidden.slice(0, 50),
      );
      expect(await found(assistantOf(acme, { widgets: [], channels: [] }), query), query).toEqual([]);
    }
  });

  test("nothing of another team, also when it names that team's widget", async () => {
    const [acme, sams] = [await team(), await team()];
    await writes(acme, "tea");
    for (const query of ["tea", "te", "vera", " "]) {
      expect(await found(assistantOf(sams), query), query).toEqual([]);
      expect(await found(assistantOf(sams, { widgets: [acme.widgetId] }), query), query).toEqual([]);
    }
  });

  test("nothing without the permission read_conversations", async () => {
    const robin = assistantOf(await team(), { permissions: ["read_conversation_messages", "search_contacts"] });
    await expect(search(robin, "tea")).rejects.toMatchObject({ reason: { name: "not-allowed" } });
  });
});

test("among many conversations of the same moment none is passed over", async () => {
  const acme = await team();
  const ids: string[] = [];
  for (let n = 0; n < 60; n += 1) ids.push((await veraWrites(acme, { content: `tea number-${n}.` })).conversationId);
  const robin = assistantOf(acme);
  expect(await found(robin, "tea", 50)).toEqual(ids.toSorted().toReversed().slice(0, 50));
  for (const [n, id] of ids.entries()) expect(await found(robin, `number-${n}.`)).toEqual([id]);
});

describe("of very many messages", () => {
  test(`those of the conversations after the newest ${MESSAGES_SEARCHED} are not looked at, their contacts are`, async () => {
    const acme = await team();
    const old = await writes(acme, "an old order", { name: "Olga", email: "olga@example.com" });
    const hidden = await writes(acme, "an old order", { name: "Olga of the mail" });
    await comesBy(storage, acme, hidden, "email");
    const older = await writes(acme, "tea", { name: "Olga" });
    const newer: string[] = [];
    for (let n = 0; n < 49; n += 1)
      newer.unshift(await writes(acme, `tea ${n}`, { name: n === 7 ? "Olga" : "Nobody" }));
    const long = await writes(acme, "a long talk", { name: "Lena" });
    const robin = assistantOf(acme, { channels: [] });
    expect(await found(robin, "old order")).toEqual([old]);

    await pretendMessages(storage, acme, long, MESSAGES_SEARCHED);
    expect(await found(robin, "old order")).toEqual([]);
    expect(await found(robin, "tea", 50)).toEqual(newer);
    for (const query of ["olga", "lga", "OLG"]) {
      expect(await found(robin, query), query).toEqual([newer[41], older, old]);
      expect(await found(robin, query, 2), query).toEqual([newer[41], older]);
      expect(await found(robin, query, 1), query).toEqual([newer[41]]);
    }
    expect(await found(robin, "example.com")).toEqual([old]);
    // Two letters are too few for the index of contacts.
    expect(await found(robin, "lg")).toEqual([newer[41]]);

    // With one message in each of the other 50, this is the last number that leaves one to look at.
    await pretendMessages(storage, acme, long, MESSAGES_SEARCHED - 51);
    expect(await found(robin, "old order")).toEqual([old]);
    await pretendMessages(storage, acme, long, MESSAGES_SEARCHED - 50);
    expect(await found(robin, "old order")).toEqual([]);
  });
});

/** Pieces that have a meaning somewhere: in LIKE, FTS5, SQL, or when they are folded. */
const pieces = [
  ..."%_\\'\"*^(){}:-+ \t\n",
  "\u001f",
  "OR",
  '" OR "',
  "é",
  "e\u0301",
  "ẞ",
  "İ",
  "Σας",
  "ﬁ",
  "①",
  "👍🏽",
  "日本語",
  "Vera",
];
const text = fc.array(fc.constantFrom(...pieces, "a", "b", "ab"), { maxLength: 4 }).map((words) => words.join(""));

test("a search finds exactly what a plain look at every conversation finds, in the same order", async () => {
  const acme = await team();
  const conversations: { id: string; name: string; contents: string[] }[] = [];
  const talk = fc.record({
    name: text,
    contents: fc.array(
      text.map((said) => `.${said}.`),
      { minLength: 1, maxLength: 3 },
    ),
  });
  for (const { name, contents } of fc.sample(talk, { numRuns: 70, seed: 7 })) {
    clock.advance(1_000);
    const [first = "", ...others] = contents;
    const said = { widgetId: acme.widgetId, content: first, name };
    const { message, contact } = await app.perform(acme.actor, receiveVisitorMessage, said);
    for (const content of others) {
      await app.perform(acme.actor, receiveVisitorMessage, { ...said, content, contactId: contact.id });
    }
    conversations.unshift({ id: message.conversation_id, name, contents });
  }
  const plainly = (query: string, limit: number) => {
    const holds = ({ name, contents }: (typeof conversations)[number]) =>
      searchWords(query).every(
        (word) =>
          searchText(name, null).includes(word) ||
          contents.some((content) => searchable(content).includes(stemOf(word))),
      );
    return conversations
      .filter(holds)
      .map(({ id }) => id)
      .slice(0, limit);
  };
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 50 }), async (query, limit) => {
      expect({ query, ids: await found(acme.actor, query, limit) }).toEqual({ query, ids: plainly(query, limit) });
    }),
    { numRuns: 200 },
  );
});
