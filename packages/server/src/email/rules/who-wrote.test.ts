import { expect, test } from "vitest";
import { parseMail } from "../parse/parse-mail.ts";
import { automaticKind } from "./automatic-mail.ts";
import { mailOf } from "./mail-for-tests.ts";
import { ANONYMOUS, MUNGED, MUNGED_TO_LIST, MUNGED_WITHOUT_NAME, PLAIN } from "./mailman-mails-for-tests.ts";
import type { Verdict } from "./verdict.ts";
import { readMailbox, whoWrote } from "./who-wrote.ts";

const rules = { ownAddresses: ["support@acme.example", "help@acme.example"], formAddresses: ["robot@forms.example"] };
const who = (headers: string, verdict?: Verdict) => whoWrote(mailOf(headers), rules, verdict);
const passed: Verdict = { dmarc: "pass", spf: "pass", dkim: "pass" };
const vera = { name: "Vera", address: "vera@example.com" };

test("the writer is who From says, and is answered there", () => {
  expect(who("From: Vera <vera@Example.com>\nTo: support@acme.example")).toEqual({
    ...vera,
    replyTo: [vera],
    isTrusted: true,
    isByForm: false,
  });
});

test("Reply-To says where answers go, not who wrote", () => {
  const boss = { name: null, address: "boss@other.example" };
  expect(who("From: Vera <vera@example.com>\nReply-To: boss@other.example, support@acme.example")).toEqual({
    ...vera,
    replyTo: [boss],
    isTrusted: true,
    isByForm: false,
  });
});

const GOOGLE_GROUP = `From: 'Vera' via Support <support@acme.example>
  X-Original-From: Vera <vera@example.com>
  X-Original-Sender: vera@example.com
  Reply-To: Vera <vera@example.com>
  List-ID: <support.acme.example>
  List-Post: <https://groups.example/support>, <mailto:support@acme.example>`;

test("through a group of ours (Google Groups), the writer is who wrote to it", () => {
  expect(who(GOOGLE_GROUP)).toEqual({ ...vera, replyTo: [vera], isTrusted: true, isByForm: false });
  expect(who(GOOGLE_GROUP, passed)?.isTrusted).toBe(true);
});

test("a rewritten From is trusted no more than our own domain, where there are verdicts", () => {
  expect(who(GOOGLE_GROUP, { ...passed, dmarc: "none" })).toEqual({
    ...vera,
    replyTo: [vera],
    isTrusted: false,
    isByForm: false,
  });
});

test("through a list of ours (Mailman), the writer is in Reply-To, and the name loses the list's", () => {
  expect(
    who(
      "From: Vera via Help <help@acme.example>\nReply-To: vera@example.com, help@acme.example\nList-Id: <help.acme.example>",
    ),
  ).toEqual({ ...vera, replyTo: [{ name: null, address: "vera@example.com" }], isTrusted: true, isByForm: false });
});

const LISTS = { ownAddresses: ["support@lists.acme.example"], formAddresses: [] };
const throughMailman = async (raw: string) => {
  const mail = await parseMail(Buffer.from(raw));
  return { writer: whoWrote(mail, LISTS, undefined), automatic: automaticKind(mail, LISTS.ownAddresses) };
};
const vogel = { name: "Vera Vogel", address: "vera@customer.example" };

test.each([
  ["as it came", PLAIN],
  ["with the list in From", MUNGED],
  ["with the list in From and Reply-To", MUNGED_TO_LIST],
])("of what Mailman itself has passed on to a list of ours, the writer is the customer (%s)", async (_what, raw) => {
  expect(await throughMailman(raw)).toEqual({
    writer: { ...vogel, replyTo: [vogel], isTrusted: true, isByForm: false },
    automatic: undefined,
  });
});

test("what stands for a name that Mailman doesn't know is none, and an anonymous list keeps the writer to itself", async () => {
  expect((await throughMailman(MUNGED_WITHOUT_NAME)).writer).toMatchObject({ ...vogel, name: null });
  expect((await throughMailman(ANONYMOUS)).writer?.address).toBe("support@lists.acme.example");
});

test("who is in Cc of a list's mail under another name is not its writer", async () => {
  const raw = MUNGED_TO_LIST.replace("Cc: Vera Vogel", "Cc: Will");
  expect((await throughMailman(raw)).writer?.address).toBe("support@lists.acme.example");
});

test("a foreign list is believed no more than anyone", () => {
  expect(
    who(
      "From: Vera via Dev <dev@lists.example.org>\nReply-To: Vera <vera@example.com>\nList-Post: <mailto:dev@lists.example.org>",
      passed,
    ),
  ).toEqual({ ...vera, replyTo: [vera], isTrusted: false, isByForm: false });
});

test("X-Original-From of a mail that is from no list counts for nothing", () => {
  expect(who("From: Mallory <mallory@evil.example>\nX-Original-From: Vera <vera@example.com>", passed)?.address).toBe(
    "mallory@evil.example",
  );
});

test.each([
  ["a listed form", "From: Forms <robot@forms.example>", true],
  ["a form that writes as we do", "From: Website <support@acme.example>", false],
])("the writer of %s is in Reply-To, which was typed", (_what, from, isByForm) => {
  expect(who(`${from}\nReply-To: Vera <vera@example.com>`, passed)).toEqual({
    ...vera,
    replyTo: [vera],
    isTrusted: false,
    isByForm,
  });
});

test("a listed form without Reply-To wrote itself, and so did we", () => {
  expect(who("From: robot@forms.example")).toMatchObject({ address: "robot@forms.example", isByForm: false });
  expect(who("From: support@acme.example\nReply-To: help@acme.example")).toMatchObject({
    address: "support@acme.example",
    replyTo: [{ address: "support@acme.example" }],
  });
});

test("with two From headers, or two addresses in one, no writer is trusted", () => {
  expect(who("From: Vera <vera@example.com>\nFrom: mallory@evil.example")).toMatchObject({ ...vera, isTrusted: false });
  expect(who("From: Vera <vera@example.com>, mallory@evil.example")).toMatchObject({ ...vera, isTrusted: false });
});

test("a mail without a readable From has no writer", () => {
  expect(["", "From: ", "From: Vera <vera>", "From: undisclosed:;"].map((headers) => who(headers))).toEqual(
    Array(4).fill(undefined),
  );
});

test("a name that only repeats the address is none", () => {
  expect(who("From: VERA@example.com <vera@example.com>")?.name).toBeNull();
});

test.each([
  ["Vera <vera@example.com>", vera],
  ['"Vera" <vera@example.com>', vera],
  ["<vera@example.com>", { ...vera, name: null }],
  ["vera@example.com", { ...vera, name: null }],
  ["=?utf-8?q?Vera?= <vera@example.com>", { ...vera, name: null }],
  ["Vera", undefined],
  ["<".repeat(1_000_000), undefined],
])("a mailbox is read out of %.40j", (text, mailbox) => {
  expect(readMailbox(text)).toEqual(mailbox);
});
