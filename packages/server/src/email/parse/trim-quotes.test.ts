import fc from "fast-check";
import { expect, test } from "vitest";
import { htmlToPlain } from "./html-to-plain.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import { trimQuotes } from "./trim-quotes.ts";

const mailOf = (given: Partial<ParsedMail>): ParsedMail => ({
  ...{ headers: [], messageId: null, inReplyTo: [], references: [], from: [], replyTo: [], to: [], cc: [] },
  ...{ subject: "Re: Shoes", date: null, text: null, html: null, textOfHtml: null, parts: [], attachments: [] },
  contentType: { type: "text/plain", params: {} },
  ...given,
});
const shownOf = (text: string, subject = "Re: Shoes") =>
  trimQuotes(mailOf({ text, subject }), { isFirst: false }).shown;
const shownOfHtml = (html: string) => trimQuotes(mailOf({ textOfHtml: htmlToPlain(html) }), { isFirst: false }).shown;

test.each([
  "On Mon, 5 Jan 2026 at 10:00, Ada <ada@example.com> wrote:",
  "On Mon, 5 Jan 2026 at 10:00, Ada\n<ada@example.com> wrote:",
  "Am 05.01.26 um 10:00 schrieb Ada:",
  "Le lun. 5 janv. 2026 à 10:00, Ada a écrit :",
  "El lun, 5 ene 2026 a las 10:00, Ada escribió:",
  "Il giorno 5 gen 2026 alle 10:00 Ada ha scritto:",
  "2026年1月5日(月) 10:00 Ada <ada@example.com>:",
])("what is quoted below '%s' is folded", (attribution) => {
  expect(shownOf(`Thanks!\n\n${attribution}\n\n> hello\n>\n> there\n`)).toBe("Thanks!");
});

test.each([
  "On Mon, 5 Jan 2026,\nat 10:00,\nAda <ada2@example.com> wrote:",
  "On Mon, 5 Jan 2026 at 10:00, Ada Lovelace\n<ada2@example.com>\nwrote:",
  "man. 5. jan. 2026 kl. 10:00 skrev Ada <ada@example.com\n>:",
  "Ada <ada@example.com> schrieb am Mo., 5.\nJan. 2026 um 10:00 Uhr:",
  "2026/1/5 Ada <ada@example.com>",
])("a wrapped or unusual attribution is folded as a whole: %j", (attribution) => {
  expect(shownOf(`I paid 20 euros.\n\n${attribution}\n\n> hello\n`)).toBe("I paid 20 euros.");
});

test.each([
  "On Mon, 5 Jan 2026 at 10:00, Ada <ada@example.com> wrote:",
  "W dniu 2026-01-05 10:00:39 użytkownik Ada <ada@example.com>\nnapisał:",
  '05.01.2026, 10:00, "Ada" <ada@example.com>:',
  "On 05/01/2026 10:00 AM, Ada wrote:",
  "Ada <ada@example.com> wrote:",
  "Ada <ada@example.com>, 5 Oca 2026 Pzt, 10:00 tarihinde şunu yazdı:",
  "On Mon, 5 Jan 2026 10:00:43 -0200 Ada <ada@example.com> wrote",
  "---- On Mon, 5 Jan 2026 10:00:50 +0530 ada@example.com wrote ----",
])("what has no marks below '%s' is folded", (attribution) => {
  expect(shownOf(`Thanks!\n\n${attribution}\n\nhello\n\nthere\n`)).toBe("Thanks!");
});

test.each([
  "Hello,\n\nOn Monday your colleague wrote:\nplease wait\n\nI have waited.",
  "Hello,\n\nyesterday at 10:30 Ada wrote:\nplease wait\n\nI have waited.",
  "Please write to ada@example.com on 5 May 2026 at 10:30:\nshe knows.",
  "Hello,\n\nFrom: Berlin\nTo: Hamburg\nDate: 5 May 2026, 10:30\n\nCan you change it?",
  "On the one hand:\nI like them.",
  "Hello,\n\nOn 5 Jan 2026 at 10:00, Ada <ada@example.com> wrote:\nplease wait\n\nI have waited.",
  "Hello\n\nyour colleague Ada <ada@example.com> wrote:\nplease wait\n\nI have waited.",
  "The log:\n2026-01-05 10:00:00 Ada <ada@example.com>:\nno connection\nCan you help?",
  "I have got this:\nFrom: support@acme.example\nSubject: Invoice\nDate: Monday 10:00\n\nIs it yours?",
])("what only resembles a quote is shown: %j", (text) => {
  expect(shownOf(text)).toBe(text);
});

test.each([
  "> On 5 Jan 2026, at 10:00, Ada <ada@example.com> wrote:\n>\n> hello",
  "> Le 5 janv. 2026 à 10:00, Ada\n> <ada@example.com> a écrit :\n> bonjour",
  "> Subject: Shoes\n> From: ada@example.com\n> To: vera@example.com\n> Date: Mon, 5 Jan 2026 10:00:22\n>\n> hello",
  "On 5 Jan 2026, Ada wrote:\n> hello\n\n--\nVera\nExample Ltd",
  `On 5 Jan 2026, Ada wrote:\n> hello\n${"_".repeat(47)}\nshoes mailing list\nhttps://lists.example/shoes`,
])("quoted lines that begin with an attribution, or end above a signature, are folded: %j", (quote) => {
  expect(shownOf(`Thanks!\n\n${quote}`)).toBe("Thanks!");
});

test.each([
  "-----Original Message-----",
  "-------- Message d’origine --------",
  "*----- Ursprüngliche Nachricht -----*",
])("what is below '%s' is folded", (line) => expect(shownOf(`Thanks!\n\n${line}\n\nhello`)).toBe("Thanks!"));

test.each([
  "Date: Mon, 5 Jan 2026 10:00\nFrom: ada@example.com\nTo: vera@example.com\nSubject: Shoes",
  "De : Ada<mailto:ada@example.com>\nEnvoyé le :lundi 5 janvier 2026 10:00\nÀ : vera@example.com\nObjet :Chaussures",
  '====\n\nMessage du : 05/01/2026 10:00\nDe : "Ada" <ada@example.com>\nA : vera@example.com\nCopie à :\nSujet : Shoes',
  "   *Da:* Ada\n   *Risposta:* Ada\n   *Data:* lunedì 5 gennaio 2026 10:00\n   *A:* Vera\n   *Oggetto:* Scarpe",
  "De : Ada <ada@example.com>\nDate : 05/01/26  10:00  (GMT+01:00)\nÀ : vera@example.com Objet : Chaussures",
  "From: Ada\n<ada@example.com>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Vera\nSubject: Shoes",
])("headers in any order, with more or fewer of them, begin a quote: %j", (headers) => {
  expect(shownOf(`Thanks!\n\n${headers}\n\nhello\n\nOn 4 Jan 2026, Vera wrote:\n> hi`)).toBe("Thanks!");
});

test.each([
  ["From", "Sent", "To", "Subject"],
  ["Von", "Gesendet", "An", "Betreff"],
  ["De", "Envoyé", "À", "Objet"],
  ["差出人", "送信日時", "宛先", "件名"],
])("what is below the lines %s, %s, %s, %s is folded", (from, sent, to, subject) => {
  const block = `${from}: Ada\n${sent}: now\n${to}: Vera\n${subject}: Shoes\n\nold text`;
  expect(shownOf(`Thanks!\n\n________________________________\n${block}`)).toBe("Thanks!");
});

test.each([
  `<div>Thanks!</div><br><div class="gmail_quote"><div class="gmail_attr">Ada:</div><blockquote class="gmail_quote">old<br>text</blockquote></div>`,
  `<div>Thanks!<br><blockquote type="cite"><div>old</div></blockquote></div>`,
  `<p>Thanks!</p><div class="moz-cite-prefix">Ada:</div><blockquote type="cite">old</blockquote>`,
  `<p>Thanks!</p><div id="x_appendonsend"></div><hr><div id="x_divRplyFwdMsg">X: Ada</div><p>old</p>`,
  `<div>Thanks!</div><div id="yiv" class="yahoo_quoted"><div>Ada:</div><div>old</div></div>`,
  `<div>Thanks!</div><div class="protonmail_quote">Ada:<blockquote class="protonmail_quote" type="cite">old</blockquote></div>`,
])("the quote container in %s is folded", (html) => {
  expect(shownOfHtml(html)).toBe("Thanks!");
});

test("text below or between quotes keeps all", () => {
  const below = "On 5 Jan, Ada wrote:\n> hello\n\nmy answer";
  expect(shownOf(below)).toBe(below);
  expect(shownOfHtml(`<blockquote type="cite">q1</blockquote><p>answer</p>`)).toContain("q1");
  const html = `<p>a</p><div class="gmail_quote">x<blockquote>q1</blockquote><div>my answer</div></div>`;
  expect(shownOfHtml(html)).toContain("my answer");
  expect(shownOfHtml("<p>see</p><blockquote>what I want</blockquote>")).toBe("see\n\nwhat I want");
});

test("first mails and forwards are not trimmed, and a mail of quotes alone is shown", () => {
  const text = "Look\n\nOn 5 Jan, Ada wrote:\n> hello";
  expect(trimQuotes(mailOf({ text }), { isFirst: true }).shown).toBe(text);
  expect(shownOf(text, "Fwd: Shoes")).toBe(text);
  expect(shownOf("On 5 Jan, Ada wrote:\n> hello")).toContain("hello");
});

test("a text that begins with headers is shown up to the quoted lines at its end", () => {
  const headers = "From: Vera <vera@example.com>\nSent: Monday 10:00\nTo: Ada\nSubject: Shoes";
  expect(shownOf(`${headers}\n\nThanks!\n\nOn 5 Jan 2026, Ada wrote:\n> hello`)).toBe(`${headers}\n\nThanks!`);
  const below = "On 5 Jan 2026 at 10:00, Ada <ada@example.com> wrote:\n\nhello\n\nThanks!";
  expect(shownOf(below)).toBe(below);
});

test("words in the line in which an attribution begins are shown", () => {
  const attribution = "On Wed, 5 Jan 2026 at 10:00, Ada <ada@example.com> wrote:\n> hello";
  expect(shownOf(`Hi,\nsee you! ${attribution}`)).toBe("Hi,\nsee you!");
  expect(shownOf(`see you--- ${attribution}`)).toBe("see you");
  expect(shownOf("Thanks!\nEl lun, 5 ene 2026 a las 10:00, Ada (El 5 Paso) escribió:\n> hola")).toBe("Thanks!");
});

test("an answer between quotes is shown, and the sender's words above an attribution", () => {
  const between = "On 5 Jan 2026, Ada <ada@example.com> wrote:\n> one?\nyes\n> two?";
  expect(shownOf(between)).toBe(between);
  expect(shownOf("I have 2 shoes\nAda Lovelace wrote:\n> hello")).toBe("I have 2 shoes");
  expect(shownOf("I have 2 shoes\nAda <ada@example.com> wrote:\n> hello")).toBe("I have 2 shoes");
});

test("an answer below a quote that has no marks in the text is shown where the HTML has them", () => {
  const text = "See below.\n\nOn 5 Jan 2026 at 10:00, Ada <ada@example.com> wrote:\n\nblue?\n\nNo, red.";
  const quote = `<blockquote type="cite">On 5 Jan 2026 at 10:00, Ada wrote: blue?</blockquote>`;
  const shown = (html: string) => trimQuotes(mailOf({ text, textOfHtml: htmlToPlain(html) }), { isFirst: false }).shown;
  expect(shown(`<p>See below.</p>${quote}<p>No, red.</p>`)).toBe(text);
  expect(shown(`<p>See below.</p>${quote}`)).toBe("See below.");
});

test("an empty line of a typed quote does not hide what is below it", () => {
  const text = "See below.\n> \n> blue?\n> \n\nNo, red.";
  expect(shownOf(text)).toBe(text);
});

test("the mark of a quote that begins with its attribution is folded with it", () => {
  expect(shownOf("Thanks!\n\n> On 5 Jan 2026, at 10:00, Ada <ada@example.com> wrote:\n>\n> hello")).toBe("Thanks!");
});

test("a signature is folded only after its mark", () => {
  expect(shownOf("Hi\n-- \nVera\nExample Ltd")).toBe("Hi");
  expect(shownOf("Hi\n--\nBest wishes\nVera")).toContain("Best wishes");
});

test("at most 10,000 characters are shown, and cut at a line", () => {
  const { shown, folded } = trimQuotes(mailOf({ text: "hello world\n".repeat(2_000) }), { isFirst: true });
  expect([shown.length <= 10_000, shown.endsWith("world"), folded.length > 10_000]).toEqual([true, true, true]);
});

test("what is shown and what is folded are the whole", () => {
  const line = fc.constantFrom(
    "hi",
    "> q",
    "",
    "On 5 Jan, Ada wrote:",
    "-- ",
    "From: a",
    "Sent: b",
    "To: c",
    "Subject: d",
    ">\u00a0x",
    ">\u2007",
    "Ada <ada@example.com> wrote:",
    "> On 5 Jan, Ada wrote:",
    "-----Original Message-----",
    "--",
  );
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (lines, isFirst) => {
      const text = `${lines.join("\n")}\nend`;
      const { shown, folded } = trimQuotes(mailOf({ text }), { isFirst });
      expect(shown + folded).toBe(text);
      expect(shown).not.toBe("");
    }),
  );
});
