import { expect, test } from "vitest";
import { automaticKind } from "./automatic-mail.ts";
import { mailOf, partOf } from "./mail-for-tests.ts";

const OWN = ["support@acme.example"];
const kindOf = (headers: string) => automaticKind(mailOf(headers), OWN);

/** Shaped like what these systems send; the names and addresses are made up. */
const SYSTEMS: Record<string, [kind: ReturnType<typeof kindOf>, headers: string]> = {
  "Gmail, vacation responder": [
    "auto-reply",
    `Return-Path: <>
     From: Vera <vera@gmail.example>
     Subject: On holiday Re: Invoice
     In-Reply-To: <1.abc@acme.example>
     Auto-Submitted: auto-replied
     Precedence: bulk
     X-Autoreply: yes`,
  ],
  "Exchange Online, automatic reply": [
    "auto-reply",
    `From: Vera <vera@contoso.example>
     Subject: Automatische Antwort: Rechnung
     X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent
     X-Auto-Response-Suppress: All
     Auto-Submitted: auto-generated`,
  ],
  "Exchange on premises, English": [
    "auto-reply",
    `From: Vera <vera@contoso.example>
     Subject: Automatic reply: Invoice
     X-Auto-Response-Suppress: DR, OOF, AutoReply`,
  ],
  "Sieve vacation (Dovecot)": [
    "auto-reply",
    `Return-Path: <>
     From: vera@example.org
     Subject: Auto: Invoice
     Auto-Submitted: auto-replied (vacation)
     Precedence: bulk
     X-Sieve: Pigeonhole Sieve 0.5`,
  ],
  "cPanel autoresponder": [
    "auto-reply",
    `From: Vera <vera@shop.example>
     Subject: I am away
     X-Autorespond: Invoice
     X-Precedence: auto_reply
     X-Loop: vera@shop.example`,
  ],
  "vacation(1) of Unix": ["auto-reply", "From: vera@unix.example\nSubject: away from my mail\nPrecedence: auto_reply"],
  "Zendesk acknowledgement": [
    "auto-reply",
    `From: Globex Support <support@globex.example>
     Subject: [Request received] Invoice
     In-Reply-To: <1.abc@acme.example>
     Auto-Submitted: auto-generated
     X-Auto-Response-Suppress: All
     X-Mailer: Zendesk Mailer`,
  ],
  "Jira notification": [
    "list",
    `From: Jira <jira@globex.example>
     Subject: [JIRA] (DESK-1) Invoice
     Precedence: bulk
     Auto-Submitted: auto-generated
     X-JIRA-FingerPrint: 1234`,
  ],
  "GitHub notification": [
    "list",
    `From: Vera <notifications@github.example>
     List-ID: acme/desk <desk.acme.github.example>
     List-Unsubscribe: <mailto:unsub@reply.github.example>
     Precedence: list
     X-Auto-Response-Suppress: All`,
  ],
  "Mailman discussion": [
    "list",
    `Return-Path: <dev-bounces@lists.example.org>
     From: Vera via Dev <dev@lists.example.org>
     List-Id: Dev <dev.lists.example.org>
     List-Post: <mailto:dev@lists.example.org>
     Precedence: list`,
  ],
  "Mailchimp newsletter": [
    "list",
    `From: Globex News <news@globex.example>
     Subject: Summer sale
     List-Unsubscribe: <https://globex.example/unsubscribe>
     List-Unsubscribe-Post: List-Unsubscribe=One-Click
     X-MC-User: 1234`,
  ],
  "Postfix bounce": [
    "bounce",
    `Return-Path: <>
     From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
     Subject: Undelivered Mail Returned to Sender
     Auto-Submitted: auto-replied
     Content-Type: multipart/report; report-type=delivery-status; boundary="x"`,
  ],
  "Gmail bounce": [
    "bounce",
    `From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>
     X-Failed-Recipients: gone@example.com
     Auto-Submitted: auto-replied
     In-Reply-To: <1.abc@acme.example>`,
  ],
  "DragonFly bounce": ["bounce", "From: MAILER-DAEMON <>\nSubject: Mail delivery failed"],
  "sendmail bounce, without a domain": [
    "bounce",
    "From: Mail Delivery Subsystem <MAILER-DAEMON>\nSubject: Returned mail",
  ],
  "OpenSMTPD bounce": ["bounce", "From: Mailer Daemon <postmaster@bsd.example>\nSubject: Delivery status notification"],
  "Domino bounce": [
    "bounce",
    "Return-Path: <MAILER-DAEMON>\nFrom: Postmaster@domino.example\nSubject: DELIVERY FAILURE: User unknown",
  ],
  "IMail bounce": ["bounce", 'From: "Postmaster" <postmaster@imail.example>\nSubject: Undeliverable Mail'],
  "a bounce without a sender": ["bounce", "Return-Path: <>\nFrom: <>\nSubject: failure notice"],
  "iCloud vacation": [
    "auto-reply",
    "From: vera@icloud.example\nSubject: Auto reply: Invoice\nX-Apple-Action: VACATION\nIn-Reply-To: <1.abc@acme.example>",
  ],
  "qmail bounce": ["bounce", "Return-Path: <>\nFrom: MAILER-DAEMON@qmail.example\nSubject: failure notice"],
  "Outlook read receipt": [
    "notice",
    `From: Vera <vera@contoso.example>
     Subject: Read: Invoice
     In-Reply-To: <1.abc@acme.example>
     Content-Type: multipart/report; report-type=disposition-notification; boundary="x"`,
  ],
  "complaint of a provider (ARF)": [
    "bounce",
    `From: staff@hotmail.example
     Subject: complaint about message from 192.0.2.1
     Content-Type: multipart/report; report-type=feedback-report; boundary="x"`,
  ],
  "complaint of Outlook.com": ["bounce", "From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.1"],
  "a manager of mailing lists (fml)": ["list", "From: shoes-admin@lists.example\nX-MLServer: fml [fml 4.0]"],
  "cron job": ["notice", "From: root@host.example\nSubject: Cron <root@host> backup\nAuto-Submitted: auto-generated"],
  "order of a shop": ["notice", "Return-Path: < >\nFrom: shop@globex.example\nSubject: Your order"],
};

test.each(Object.entries(SYSTEMS))("%s is automatic", (_system, [kind, headers]) => {
  expect(kindOf(headers)).toBe(kind);
});

test.each([
  ["a plain mail", "Return-Path: <vera@example.com>\nFrom: Vera <vera@example.com>\nSubject: Invoice"],
  ["a reply", "From: vera@example.com\nSubject: Re: Invoice\nIn-Reply-To: <1.abc@acme.example>\nAuto-Submitted: no"],
  ["a mail about an absence", "From: vera@example.com\nSubject: Out of office hours?"],
  ["Precedence: normal", "From: vera@example.com\nPrecedence: normal\nX-Autoreply: no"],
  ["a postmaster who writes", "Return-Path: <postmaster@example.com>\nFrom: postmaster@example.com\nSubject: Your MX"],
  ["a person named after a daemon", "From: maildaemon.miller@example.com"],
  [
    "a mail through our own group",
    `From: 'Vera' via Support <support@acme.example>
     List-ID: <support.acme.example>
     List-Post: <https://groups.example/support>, <mailto:support@acme.example>
     List-Unsubscribe: <mailto:unsubscribe@groups.example>
     Precedence: list`,
  ],
  ["our own group, by its id", "From: vera@example.com\nList-Id: Support <support.acme.example>\nPrecedence: list"],
])("%s is not automatic", (_what, headers) => {
  expect(kindOf(headers)).toBeUndefined();
});

test("with the null sender, only what returns a mail is a bounce", () => {
  const headers = "Return-Path: <>\nFrom: no-reply@carrier.example\nSubject: Mail";
  const returned = [partOf("message/rfc822", "To: gone@carrier.example\n\nHello")];
  expect(automaticKind(mailOf(headers, { parts: returned }), OWN)).toBe("bounce");
  expect(kindOf(headers)).toBe("notice");
  const postmaster = (subject: string) =>
    mailOf(`From: postmaster@example.com\nSubject: ${subject}`, { parts: returned });
  expect(automaticKind(postmaster("Fwd: Shoes"), OWN)).toBeUndefined();
  expect(automaticKind(postmaster("配信エラー"), OWN)).toBe("bounce");
});

test("an absence note through our own group is still automatic", () => {
  const headers =
    "From: vera@example.com\nList-Id: <support.acme.example>\nPrecedence: list\nAuto-Submitted: auto-replied";
  expect(kindOf(headers)).toBe("auto-reply");
});

test("the envelope's sender, where it is known, decides in place of Return-Path", () => {
  const mail = mailOf("Return-Path: <vera@example.com>\nFrom: vera@example.com");
  expect(automaticKind({ ...mail, envelopeFrom: "" }, OWN)).toBe("notice");
  expect(automaticKind({ ...mailOf("Return-Path: <>"), envelopeFrom: "vera@example.com" }, OWN)).toBeUndefined();
});
