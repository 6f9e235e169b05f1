import fc from "fast-check";
import { expect, test } from "vitest";
import type { MailPart } from "../parse/parsed-mail.ts";
import { mailOf, partOf } from "../rules/mail-for-tests.ts";
import { readReport } from "./read-report.ts";

const OWN = ["support@acme.example"];
const TOKEN = "abcdefghijklmnopqrstuvwxy2";
const ID = `<aaaaaaaaaaaaaaaa.${TOKEN}@acme.example>`;
const RETURNED = `Return-Path: <support@acme.example>\nMessage-ID: ${ID}\nFrom: Acme <support@acme.example>\nTo: gone@example.com\n\nHello`;
const status = (fields: string) => partOf("message/delivery-status", `Reporting-MTA: dns; mx.example\n\n${fields}`);
const read = (text: string, parts: MailPart[] = [], headers = "") => readReport(mailOf(headers, { text, parts }), OWN);

/** Shaped like what these servers send: the text, the parts, and what the report says. */
const SHAPES: [
  system: string,
  report: ReturnType<typeof read>,
  address: string,
  status: string | null,
  kind: string,
][] = [
  [
    "Postfix",
    read("I'm sorry to have to inform you", [
      status(
        "Final-Recipient: rfc822; gone@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <gone@example.com>:\n    Recipient address rejected",
      ),
      partOf("message/rfc822", RETURNED),
    ]),
    "gone@example.com",
    "5.1.1",
    "permanent",
  ],
  [
    "Exchange Online",
    read("Delivery has failed", [
      status(
        "Original-Recipient: rfc822;Gone@example.com\r\nFinal-Recipient: rfc822;gone@example.com\r\nAction: failed\r\nStatus: 5.7.1\r\nDiagnostic-Code: smtp;550 5.7.1 Access denied\r\n",
      ),
      partOf("text/rfc822-headers", RETURNED),
    ]),
    "Gone@example.com",
    "5.7.1",
    "policy",
  ],
  [
    "Sendmail, full mailbox",
    read("", [
      status(
        "Final-Recipient: RFC822; gone@example.com\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: SMTP; 552 5.2.2 Over quota",
      ),
      partOf("message/rfc822", RETURNED),
    ]),
    "gone@example.com",
    "5.2.2",
    "full",
  ],
  [
    "a delay",
    read("", [
      status(
        "Final-Recipient: rfc822; gone@example.com\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; timed out",
      ),
      partOf("message/rfc822", RETURNED),
    ]),
    "gone@example.com",
    "4.4.1",
    "temporary",
  ],
  [
    "a status that says nothing, words that do",
    read("", [
      status(
        "Final-Recipient: rfc822; gone@example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.7.26 unauthenticated, DMARC",
      ),
      partOf("message/rfc822", RETURNED),
    ]),
    "gone@example.com",
    "5.7.26",
    "policy",
  ],
  [
    "Gmail, in a header",
    read(
      `Address not found: gone@example.com\nThe response was: 550-5.1.1 The email account that you tried to reach does not exist.\n\n----- Original message -----\n${RETURNED}`,
      [],
      "X-Failed-Recipients: gone@example.com",
    ),
    "gone@example.com",
    "5.1.1",
    "permanent",
  ],
  [
    "qmail",
    read(
      `Hi. This is the qmail-send program at mx.example.\n\n<gone@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n${RETURNED}`,
    ),
    "gone@example.com",
    "5.1.1",
    "permanent",
  ],
  [
    "Exim",
    read(
      `A message that you sent could not be delivered to one or more of its recipients.\n\n  gone@example.com\n    host mx.example [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<gone@example.com>:\n    550 No such user here\n\n------ This is a copy of the message, including all the headers. ------\n\n${RETURNED}`,
    ),
    "gone@example.com",
    null,
    "permanent",
  ],
  [
    "Exim, a delay",
    read(
      `The message has not yet been delivered, and delivery attempts will continue.\n\n  gone@example.com\n    Delay reason: connection timed out\n\n${RETURNED}`,
    ),
    "gone@example.com",
    null,
    "temporary",
  ],
  [
    "an old sendmail",
    read(
      `   ----- The following addresses had permanent fatal errors -----\n<gone@example.com>\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.:\n>>> RCPT To:<gone@example.com>\n<<< 550 Mail rejected: listed as spam\n\n   ----- Original message follows -----\n${RETURNED}`,
    ),
    "gone@example.com",
    null,
    "policy",
  ],
  [
    "Exchange 2003",
    read(
      `Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n      gone@example.com on 6/1/2026 9:00 AM\n            The mailbox is full. Try later.\n            <mx.example #5.2.2>\n\nOriginal message headers:\n${RETURNED}`,
    ),
    "gone@example.com",
    "5.2.2",
    "full",
  ],
  [
    "a provider's web mail",
    read(
      `Sorry, we were unable to deliver your message to the following address.\n\n<gone@example.com>:\n421 4.7.0 try again later\n\n--- Below this line is a copy of the message.\n${RETURNED}`,
    ),
    "gone@example.com",
    "4.7.0",
    "temporary",
  ],
];

test.each(SHAPES)("a report of %s is read", (_system, report, address, code, kind) => {
  expect(report.recipients.map((each) => [each.address, each.status, each.class])).toEqual([[address, code, kind]]);
  expect(report.recipients[0]?.diagnostic).not.toBe("");
  expect(report).toMatchObject({ originalIds: [ID], envelopeTokens: [TOKEN] });
});

/** What a server says at the end of a line, and what it means for the next mail to the address. */
test.each([
  ["550 5.7.1 <gone@example.com>: Recipient address rejected: DMARC failed", "policy"],
  ["550 5.4.1 Recipient address rejected: Access denied", "permanent"],
  ["550 5.7.13 Disabled recipient address", "permanent"],
  ["553 5.1.8 Domain of sender address does not exist", "policy"],
  ["550 5.1.0 <support@acme.example> sender rejected", "policy"],
  ["550 5.2.1 The user is receiving mail at a rate that is too high", "temporary"],
  ["550 5.2.3 Message length exceeds the limit", "policy"],
  ["554 5.3.0 Internal error", "temporary"],
  ["553 5.3.0 No such user here", "permanent"],
  ["554 5.4.6 Too many hops", "temporary"],
  ["550 5.4.4 Host or domain name not found. Name service error: Host not found", "permanent"],
  ["450 4.4.3 Host not found, try again", "temporary"],
  ["552 5.1.1 Mailbox full", "full"],
  ["550 5.6.1 Content rejected", "policy"],
  ["550 Mailbox is frozen", "permanent"],
  ["550 Rejected", "policy"],
  ["SMTP error from remote mail server after MAIL FROM: 550 unknown user", "policy"],
  ["SMTP error from remote mail server after end of data: 550 no", "policy"],
  ["all hosts have been failing for a long time", "temporary"],
])("'%s' is %s", (words, kind) => {
  expect(read(`<gone@example.com>:\n${words}\n`).recipients).toMatchObject([{ class: kind }]);
  const parts = [status(`Final-Recipient: rfc822; gone@example.com\nAction: failed\nDiagnostic-Code: smtp; ${words}`)];
  expect(read("", parts).recipients).toMatchObject([{ class: kind }]);
});

test("the server's own code counts for more than that of the report, unless it is vague", () => {
  const codeOf = (said: string, code: string) =>
    read("", [
      status(
        `Final-Recipient: rfc822; gone@example.com\nAction: failed\nStatus: ${code}\nDiagnostic-Code: smtp; ${said}`,
      ),
    ]).recipients[0]?.status;
  expect(codeOf("550 5.7.1 refused", "5.1.1")).toBe("5.7.1");
  expect(codeOf("550 5.1.0 - Unknown address error 550-'5.2.2 full", "5.1.0")).toBe("5.2.2");
  expect(codeOf("550 5.2.0 refused", "5.1.1")).toBe("5.1.1");
});

test.each([
  [
    "no address, but returned headers",
    "421 example.com (smtp)... Deferred: Connection timed out",
    "gone@example.com",
    "temporary",
  ],
  ["a line that begins with codes", "550 5.1.2 <gone@example.com>... Host unknown", "gone@example.com", "permanent"],
  [
    "the sender before the recipient",
    "Mail of carl@example.com to gone@example.com: unknown user",
    "gone@example.com",
    "permanent",
  ],
  ["a reason above the address", "The account is disabled.\n\n<gone@example.com>", "gone@example.com", "permanent"],
  [
    "an address alone in its lines",
    "gone@example.com:\n  after RCPT TO:\n  <gone@example.com>:\n  553 5.1.1 unknown",
    "gone@example.com",
    "permanent",
  ],
])("a text with %s is read", (_what, said, address, kind) => {
  const { recipients } = read(`${said}\n\n----- Original message -----\n${RETURNED}`);
  expect(recipients.map((each) => [each.address, each.class])).toEqual([[address, kind]]);
});

test("of a forwarded mail, the address that it was sent to has failed, not the one that it was forwarded to", () => {
  const group = (original: string) =>
    status(
      `Original-Recipient: rfc822; ${original}\nFinal-Recipient: rfc822; other@example.net\nAction: failed\nStatus: 5.1.1`,
    );
  const failed = (original: string) => read("", [group(original)]).recipients.map(({ address }) => address);
  expect(failed("gone@example.com")).toEqual(["gone@example.com"]);
  expect(failed("support@acme.example")).toEqual(["other@example.net"]);
  const returned = partOf("message/rfc822", "From: support@acme.example\nTo: other@example.net\n\nHello");
  const { recipients } = read("", [group("internal@gateway.example"), returned]);
  expect(recipients.map(({ address }) => address)).toEqual(["other@example.net"]);
});

test("the fields of several recipients are read without empty lines between them, each with its own words", () => {
  const group = (name: string) => `Final-Recipient: rfc822; ${name}@example.com\nAction: failed\nStatus: 5.0.0\n`;
  const said = "a@example.com: 550 5.1.1 User unknown\nb@example.com: 552 5.2.2 Mailbox full\n";
  const { recipients } = read(said, [status(group("a") + group("b"))]);
  expect(recipients).toMatchObject([
    { address: "a@example.com", class: "permanent", diagnostic: "a@example.com: 550 5.1.1 User unknown" },
    { address: "b@example.com", class: "full", diagnostic: "b@example.com: 552 5.2.2 Mailbox full" },
  ]);
});

test("fields that stand in the text are read, and those of a report within a report", () => {
  const fields = "Action: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822;gone@example.com\n";
  expect(read(`To: other@example.com\n\n${fields}`).recipients).toMatchObject([{ address: "gone@example.com" }]);
  const inner = partOf("message/rfc822", `From: MAILER-DAEMON\nTo: other@example.com\n\n${fields}`);
  expect(read("These addresses had errors:", [inner]).recipients).toMatchObject([{ address: "gone@example.com" }]);
});

test("words in ISO-2022-JP are taken from the text, where they are decoded", () => {
  const fields = "Final-Recipient: rfc822; gone@example.com\nDiagnostic-Code: X-Notes; \u001b$B%f!<%6!<\u001b(B";
  const report = read("gone@example.com は見つかりません。", [status(fields)]);
  expect(report.recipients).toMatchObject([{ class: "permanent", diagnostic: "gone@example.com は見つかりません。" }]);
});

test("what an old sendmail was answered is above the line of its result", () => {
  const said = [
    ">>> MAIL From:<support@acme.example>",
    "<<< 550 Insecure Mail Relay",
    "554 <gone@example.com>... Remote protocol error",
    "421 mx.example (smtp)... Deferred: Connection timed out",
  ].join("\n");
  expect(read(said).recipients).toMatchObject([{ address: "gone@example.com", class: "policy" }]);
});

test("a recipient that is no address is named by the text", () => {
  const parts = [status("Final-Recipient: rfc822; |/usr/bin/filter\nAction: failed\nStatus: 5.0.0")];
  expect(read("  pipe to |/usr/bin/filter\n    generated by gone@example.com", parts).recipients).toMatchObject([
    { address: "gone@example.com", class: "policy" },
  ]);
});

test("a report about several recipients has each with its own words", () => {
  const { recipients } = read("<a@example.com>:\n550 5.1.1 unknown user\n\n<b@example.com>:\n552 5.2.2 over quota\n");
  expect(recipients).toEqual([
    {
      address: "a@example.com",
      action: "failed",
      status: "5.1.1",
      class: "permanent",
      diagnostic: "<a@example.com>: 550 5.1.1 unknown user",
    },
    {
      address: "b@example.com",
      action: "failed",
      status: "5.2.2",
      class: "full",
      diagnostic: "<b@example.com>: 552 5.2.2 over quota",
    },
  ]);
});

test("who was reached has not failed, whatever the text names", () => {
  const parts = [status("Final-Recipient: rfc822; vera@example.com\nAction: delivered\nStatus: 2.0.0")];
  expect(read("vera@example.com: delivered", parts).recipients).toEqual([]);
});

test("a complaint names who has complained, or nobody, and is no bounce; that a mail is no spam is none", () => {
  const feedback = (fields: string) => [
    partOf("message/feedback-report", `User-Agent: mx.example\nVersion: 1\n${fields}`),
    partOf("message/rfc822", RETURNED),
  ];
  const said = "This is an email abuse report for an email received from vera@example.com:";
  const complained = read(said, feedback("Feedback-Type: abuse\nOriginal-Rcpt-To: <gone@example.com>"));
  expect(complained).toEqual({
    recipients: [],
    originalIds: [ID],
    envelopeTokens: [TOKEN],
    complaint: ["gone@example.com"],
  });
  expect(read(said, feedback("Feedback-Type: abuse")).complaint).toEqual([]);
  expect(read("", feedback("Feedback-Type: not-spam"))).not.toHaveProperty("complaint");
});

test("a complaint of Outlook.com names who has complained in the returned mail", () => {
  const returned = [partOf("message/rfc822", `X-HmXmrOriginalRecipient: gone@example.com\n${RETURNED}`)];
  expect(read("", returned)).toMatchObject({
    complaint: ["gone@example.com"],
    recipients: [],
    envelopeTokens: [TOKEN],
  });
});

test("own addresses never fail, and the token in the recipient of a report is found", () => {
  const headers = `To: support+r.${TOKEN}@acme.example`;
  expect(read("<support@acme.example>:\n550 unknown user", [], headers)).toEqual({
    recipients: [],
    originalIds: [],
    envelopeTokens: [TOKEN],
  });
});

test("the id that Microsoft has replaced is found too", () => {
  const returned = `Message-ID: <new@outlook.example>\nX-Microsoft-Original-Message-ID:\n ${ID}\n`;
  expect(read("", [partOf("text/rfc822-headers", returned)]).originalIds).toEqual(["<new@outlook.example>", ID]);
});

test("no text makes it throw, or takes long", () => {
  const words = fc.constantFrom(
    "<",
    ">",
    "@",
    "a@b.example",
    ":",
    "\n",
    "\n\n",
    " ",
    "5.1.1",
    "550 ",
    "Final-Recipient: ",
    "Received: ",
  );
  fc.assert(
    fc.property(fc.string({ unit: words }), (text) => {
      read(text, [partOf("message/delivery-status", text), partOf("message/rfc822", text)]);
    }),
  );
  for (const text of ["<", "a@", "a", "@", "\n", " ", "a@b.example\n", "-", "5.1"]) read(text.repeat(300_000));
});
