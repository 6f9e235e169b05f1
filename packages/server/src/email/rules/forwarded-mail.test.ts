import fc from "fast-check";
import { expect, test } from "vitest";
import { forwardedFrom } from "./forwarded-mail.ts";
import { mailOf, partOf } from "./mail-for-tests.ts";

const OWN = ["support@acme.example"];
const vera = { name: "Vera", address: "vera@example.com" };
const of = (text: string) => forwardedFrom(mailOf("", { text }), OWN);

test.each([
  [
    "Gmail",
    "FYI\n\n---------- Forwarded message ---------\nFrom: Vera <vera@example.com>\nDate: Mon, 1 Jun 2026\nSubject: Invoice\nTo: <ada@acme.example>\n\nHello",
  ],
  [
    "Gmail in German",
    "---------- Forwarded message ---------\nVon: Vera <vera@example.com>\nDate: Mo., 1. Juni 2026\nSubject: Rechnung\nTo: <ada@acme.example>",
  ],
  [
    "Outlook",
    "________________________________\nFrom: Vera <vera@example.com>\nSent: Monday, June 1, 2026\nTo: Ada\nSubject: Invoice",
  ],
  [
    "Outlook, older",
    "-----Original Message-----\nFrom: Vera [mailto:vera@example.com]\nSent: Monday\nTo: Ada\nSubject: Invoice",
  ],
  ["Outlook in French", "De : Vera <vera@example.com>\nEnvoyé : lundi 1 juin 2026\nÀ : Ada\nObjet : Facture"],
  ["Outlook in Spanish", "De: Vera <vera@example.com>\nEnviado: lunes\nPara: Ada\nAsunto: Factura"],
  ["Outlook in Italian", "Da: Vera <vera@example.com>\nInviato: lunedì\nA: Ada\nOggetto: Fattura"],
  ["Outlook in Dutch", "Van: Vera <vera@example.com>\nVerzonden: maandag\nAan: Ada\nOnderwerp: Factuur"],
  ["Outlook in Russian", "От: Vera <vera@example.com>\nОтправлено: 1 июня\nКому: Ada\nТема: Счёт"],
  ["Outlook in Chinese", "发件人: Vera <vera@example.com>\n发送时间: 2026年6月1日\n收件人: Ada\n主题: 发票"],
  ["Outlook in Japanese", "差出人: Vera <vera@example.com>\n送信日時: 2026年6月1日\n宛先: Ada\n件名: 請求書"],
  [
    "Apple Mail",
    "Begin forwarded message:\n\n> From: Vera <vera@example.com>\n> Subject: Invoice\n> Date: 1 June 2026\n> To: ada@acme.example",
  ],
  [
    "Thunderbird",
    "-------- Forwarded Message --------\nSubject: Invoice\nDate: Mon, 1 Jun 2026\nFrom: Vera <vera@example.com>\nTo: ada@acme.example",
  ],
  ["a mobile program, bold", "*From:* Vera <vera@example.com>\n*Sent:* Monday\n*To:* Ada\n*Subject:* Invoice"],
])("the writer of a mail that %s forwards is in its header block", (_program, text) => {
  expect(of(text)).toEqual(vera);
  expect(of(text.replaceAll("\n", "\r\n"))).toEqual(vera);
});

test("the writer of an attached mail is in its headers, whatever its text says", () => {
  const parts = [
    partOf("message/rfc822", "Received: by mx\r\nFrom: Vera\r\n <vera@example.com>\r\n\r\nFrom: x@x.example"),
  ];
  expect(forwardedFrom(mailOf("", { parts, text: "From: b@b.example\nTo: c\nSubject: d" }), OWN)).toEqual(vera);
});

const block = (address: string) => `From: ${address}\nDate: 1 June\nTo: x\nSubject: Invoice\n\n`;

test("own mails in a forwarded thread are passed over, and the same writer twice is one", () => {
  expect(of(block("vera@example.com") + block("Acme <support@acme.example>") + block("Vera@example.com"))).toEqual({
    ...vera,
    name: null,
  });
});

test.each([
  ["two writers", block("vera@example.com") + block("bea@example.com")],
  ["our own mail alone", block("support@acme.example")],
  ["From in a sentence", "From: vera@example.com\nI got this, what do you think?"],
  ["a name without an address", block("Vera")],
  ["nothing", ""],
])("of a mail with %s no writer is taken", (_what, text) => {
  expect(of(text)).toBeUndefined();
});

test("no text makes it throw, or takes long", () => {
  const words = fc.constantFrom(
    "From: ",
    "To: ",
    "Date: ",
    "\n",
    "<",
    ">",
    "mailto:",
    "a@b.example",
    "[",
    "]",
    "*",
    ":",
    "> ",
  );
  fc.assert(
    fc.property(fc.string({ unit: words }), (text) => {
      of(text);
    }),
  );
  for (const text of ["From: a\n", ">", "*", "\n", "a", "<mailto:", "["]) of(`From: ${text.repeat(100_000)}`);
});
