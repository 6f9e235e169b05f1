import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answeredIds,
  conversationMessageId,
  conversationOfMessageId,
  IDS_MAX,
  readMessageId,
  readMessageIds,
  referencesOfReply,
} from "./message-ids.ts";

test.each([
  ["<a@x.example>", ["<a@x.example>"]],
  ["<a@x.example> <b@x.example>\t<c@x.example>", ["<a@x.example>", "<b@x.example>", "<c@x.example>"]],
  ["<a@x.example><b@x.example>", ["<a@x.example>", "<b@x.example>"]],
  ["<a@x.example>,<a@x.example>", ["<a@x.example>"]],
  ['Your message of "Mon, 1 Jun" <a@x.example> (Vera)', ["<a@x.example>"]],
  ["<no-domain>", ["<no-domain>"]],
  ["<broken <b@x.example>", ["<b@x.example>"]],
  ["<bro ken@x.example>", []],
  ["<>", []],
  ["a@x.example", []],
  ["", []],
  [`<${"a".repeat(997)}>`, []],
])("of %j the ids are %j", (header, ids) => {
  expect(readMessageIds(header)).toEqual(ids);
});

test("of very many ids the first and the last ones are read", () => {
  const ids = Array.from({ length: 500 }, (_, index) => `<${index}@x.example>`);
  const read = readMessageIds(ids.join(" "));
  expect(read).toEqual([ids[0], ...ids.slice(-(IDS_MAX - 1))]);
});

test("millions of brackets take no time", () => {
  expect(readMessageIds("<".repeat(5_000_000))).toEqual([]);
  expect(readMessageIds("<a".repeat(2_000_000))).toEqual([]);
});

test("a message has one id, or none that counts", () => {
  expect(["<a@x.example>", " <a@x.example> ", "", "a@x.example", "<a@x> <b@x>"].map(readMessageId)).toEqual([
    "<a@x.example>",
    "<a@x.example>",
    undefined,
    undefined,
    undefined,
  ]);
});

const SAME = "<conversation@acme.example>";

test("a reply refers to the conversation's id, to the chain and to the mail that it answers", () => {
  expect(referencesOfReply({ references: ["<1@x>", "<2@x>"], messageId: "<3@x>" }, SAME)).toEqual([
    SAME,
    "<1@x>",
    "<2@x>",
    "<3@x>",
  ]);
  expect(referencesOfReply({ references: [], messageId: null }, SAME)).toEqual([SAME]);
});

test("an id that is in the chain twice, and the conversation's own, are not repeated", () => {
  expect(referencesOfReply({ references: [SAME, "<1@x>", "<2@x>", "<1@x>"], messageId: "<2@x>" }, SAME)).toEqual([
    SAME,
    "<1@x>",
    "<2@x>",
  ]);
});

test("the conversation is read from the id that all of its mails refer to, whatever its domain", () => {
  const conversation = "01a22348-318a-72e1-91b0-694c3a0a9a99";
  expect(conversationOfMessageId(conversationMessageId(conversation, "acme.example"))).toBe(conversation);
  expect(conversationOfMessageId(conversationMessageId(conversation.toUpperCase(), "a.example"))).toBe(conversation);
  for (const id of ["<conversation@acme.example>", `<x.conversation.${conversation}@a>`, "<conversation.a-b@x>"])
    expect(conversationOfMessageId(id)).toBeUndefined();
});

test("of a mail that answers, what it answers and its last ids are looked up, and the first one", () => {
  const references = Array.from({ length: 30 }, (_, index) => `<${index}@x>`);
  const ids = answeredIds({ inReplyTo: ["<29@x>"], references });
  expect(ids).toEqual([...references.slice(11).toReversed(), "<0@x>"]);
  expect(answeredIds({ inReplyTo: ["<2@x>"], references: ["<1@x>", "<2@x>"] })).toEqual(["<2@x>", "<1@x>"]);
});

test("of a long chain the first id and the last 19 are kept, over any number of replies", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (replies) => {
      let references: string[] = [];
      for (let number = 0; number < replies; number++) {
        references = referencesOfReply({ references, messageId: `<${number}@x>` }, SAME);
      }
      expect(references.slice(0, 2)).toEqual([SAME, "<0@x>"]);
      expect(references.at(-1)).toBe(`<${replies - 1}@x>`);
      expect(references.length).toBe(Math.min(replies, 20) + 1);
    }),
  );
});
