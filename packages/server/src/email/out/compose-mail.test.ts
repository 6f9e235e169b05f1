/** The bytes of a reply (reference, section 3: headers; B18). */
import { readMail } from "@frontdesk/testing/mail-server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeMail, type MailToCompose, senderName } from "./compose-mail.ts";

const random = (bytes: number) => new Uint8Array(bytes).fill(7);
const reply: MailToCompose = {
  from: { name: senderName("Ada", "Acme"), address: "support@acme.example" },
  replyTo: "support+r.abc@acme.example",
  to: [{ name: "Vera Grün", address: "vera@example.com" }],
  cc: [{ name: null, address: "will@example.com" }],
  subject: "Re: Größe?",
  messageId: "<x.abc@acme.example>",
  inReplyTo: "<asked@example.com>",
  references: ["<conversation@acme.example>", "<asked@example.com>"],
  date: Date.UTC(2026, 10, 28, 9, 30),
  text: "Yes, size 40 <is> in stock.\nGrüße, Ada",
  quoted: { author: "Vera Grün", date: Date.UTC(2026, 10, 28, 8), text: "Do you have size 40?\n> earlier" },
  forwarded: null,
  isAutomatic: false,
  attachments: [],
  links: [],
};
const raw = async (change: Partial<MailToCompose> = {}) =>
  Buffer.from(await composeMail({ ...reply, ...change }, random)).toString("latin1");
const headersOf = (text: string) => (text.split("\r\n\r\n")[0] ?? "").replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");

test("a reply has the headers that keep it in its thread, and none of an automatic mail", async () => {
  const headers = headersOf(await raw());
  expect(headers).toEqual(
    expect.arrayContaining([
      'From: "Ada (Acme)" <support@acme.example>',
      "Reply-To: support+r.abc@acme.example",
      "Cc: will@example.com",
      "Message-ID: <x.abc@acme.example>",
      "In-Reply-To: <asked@example.com>",
      "References: <conversation@acme.example> <asked@example.com>",
      "Date: Sat, 28 Nov 2026 09:30:00 +0000",
      "MIME-Version: 1.0",
    ]),
  );
  const mail = readMail({ raw: await raw() });
  expect(mail.header("Subject")).toBe("Re: Größe?");
  expect(mail.header("To")).toBe("Vera Grün <vera@example.com>");
  expect(headers.join("\n")).not.toMatch(/^(Auto-Submitted|Precedence|List-|Bcc|X-Auto)/im);
});

test("its text has the earlier mail quoted below, and its HTML is nothing but that text", async () => {
  const mail = readMail({ raw: await raw() });
  const attribution = "On 2026-11-28 08:00 UTC, Vera Grün wrote:";
  expect(mail.part("text/plain").trimEnd()).toBe(
    `Yes, size 40 <is> in stock.\nGrüße, Ada\n\n${attribution}\n> Do you have size 40?\n>> earlier`,
  );
  const html = mail.part("text/html");
  expect(html).toContain("Yes, size 40 &lt;is&gt; in stock.<br>\nGrüße, Ada");
  expect(html).toContain(
    `${attribution}</div><blockquote type="cite">Do you have size 40?<br>\n&gt; earlier</blockquote>`,
  );
  expect(html).not.toMatch(/<(img|a|script|style|link)\b|\bhref=|\bsrc=/i);
});

test("the same input makes the same bytes", async () => {
  expect(await raw()).toBe(await raw());
});

test("a first mail answers nothing and quotes nothing", async () => {
  const first = await raw({ inReplyTo: null, references: ["<conversation@acme.example>"], quoted: null });
  expect(headersOf(first).filter((line) => /^(In-Reply-To|References)/.test(line))).toEqual([
    "References: <conversation@acme.example>",
  ]);
  expect(first).not.toContain("wrote:");
});

test("a mail that is passed on is below the text, as it is and in no container of quotes", async () => {
  const forwarded = "---------- Forwarded message ----------\nFrom: Vera <vera@vera.example>\n\n<b>Hello</b>\r> quoted";
  const passedOn = { inReplyTo: null, quoted: null, forwarded };
  const mail = await raw({ ...passedOn, text: "Can you help?" });
  expect(readMail({ raw: mail }).part("text/plain")).toContain("Can you help?\n\n---------- Forwarded message");
  expect(mail).not.toMatch(/blockquote|gmail_quote/);
  expect(mail).toContain("&lt;b&gt;Hello");
  expect(readMail({ raw: await raw({ ...passedOn, text: "" }) }).part("text/plain")).toMatch(/^-{10} Forwarded/);
});

test("files are attached byte by byte, and files elsewhere on the web are linked", async () => {
  const content = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const text = await raw({
    attachments: [{ name: "Größe\r\nBcc: mallory@example.net.png", mime: "image/png", content }],
    links: [{ name: "Catalogue", url: "https://acme.example/c.pdf" }],
  });
  expect(text.replaceAll("\r\n", "")).toContain(content.toString("base64"));
  expect(text.replaceAll("=\r\n", "")).toContain("Catalogue: https://acme.example/c.pdf");
  expect(headersOf(text).some((line) => line.startsWith("Bcc"))).toBe(false);
});

describe("who writes", () => {
  test.each([
    ["Ada", "Acme", "Ada (Acme)"],
    ["Ada", null, "Ada"],
    [null, "Acme", "Acme"],
    ["", null, null],
  ])("%s for %s is %s", (agent, brand, name) => {
    expect(senderName(agent, brand)).toBe(name);
  });
});

test("nothing written in a name, subject or text adds a header or a recipient", async () => {
  const unit = fc.constantFrom(..."\r\n:;,<>@\"'()[]\\ Bc=?_Uü\u0000\ud800\u202e\u2028".split(""));
  const text = fc.string({ unit, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (name, subject, body) => {
      const written = await raw({
        from: { name, address: "support@acme.example" },
        to: [{ name, address: "vera@example.com" }],
        subject,
        text: body,
        quoted: { author: name, date: 0, text: body },
      });
      const names = headersOf(written).map((line) => line.split(":")[0]);
      expect(names.filter((header) => header !== "Subject").toSorted()).toEqual(
        [
          ...["Cc", "Content-Type", "Date", "From", "In-Reply-To", "MIME-Version", "Message-ID"],
          ...["References", "Reply-To", "To"],
        ].toSorted(),
      );
      const to = headersOf(written).find((line) => line.startsWith("To:"));
      expect(to).toMatch(/(^To: |<)vera@example\.com>?$/);
      expect(written).not.toMatch(/(?<!\r)\n|\r(?!\n)|\0/);
    }),
    { numRuns: 150 },
  );
});
