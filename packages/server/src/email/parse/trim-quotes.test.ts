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
