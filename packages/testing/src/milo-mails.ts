/** Milo, who writes emails, and leaves a word at each of their doors (`canaries.ts`). */
import { randomUUID } from "node:crypto";
import { createDelivery } from "@frontdesk/server/email/lmtp/deliver-mail";
import { findRecipient } from "@frontdesk/server/email/lmtp/find-recipient";
import { createLmtpServer } from "@frontdesk/server/email/lmtp/lmtp-server";
import { createDrafts } from "@frontdesk/server/files/drafts";
import { systemTimeouts } from "@frontdesk/server/timeouts";
import { pino } from "pino";
import { expect } from "vitest";
import { connectLmtp } from "./lmtp-client.ts";
import { startScriptedSmtp } from "./scripted-smtp.ts";
import { query } from "./second-app.ts";
import type { TestApp, TestTeam } from "./test-kit.ts";
import { adaReplies } from "./vera.ts";

type Word = () => string;

/** The servers of his team's mailbox are on this machine: an app of these canaries needs it. */
export const TO_MAILBOXES = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" };

const OLGA = "From: Olga <olga@other.test>";
/** The mail server of the mailbox. */
const AUTHSERV_ID = "mx.acme.test";

/**
 * Milo's first email becomes a message, and Ada's answer reaches one of its two recipients, of whom a report comes back. One email
 * comes by LMTP. One refers to a conversation of Olga, who stays. One is spam. His last two wait, because the mailbox is paused. Resolves
 * to his contact.
 *
 * @param isSending whether the app sends: else Ada's answer waits
 */
export async function miloMails(kit: TestApp, acme: TestTeam, word: Word, isSending: boolean): Promise<string> {
  const [carl, answers] = [`${word()}@milo.test`, `${word()}@milo.test`];
  const smtp = await startScriptedSmtp({
    ...{ rcpt: { [carl]: `552 5.2.2 ${word()}: mailbox full` }, dot: `250 2.0.0 Queued as ${word()}` },
  });
  try {
    const box = await openMailbox(kit, acme, smtp.port);
    const [name, address] = [word(), `${word()}@milo.test`];
    const from = `From: ${name} <${address}>`;
    const first = [from, `Message-ID: <${word()}@milo.test>`, `Subject: ${word()}`];
    const people = [`Cc: ${word()} <${carl}>`, `Reply-To: ${word()} <${answers}>`];
    await box.post([...first, ...people], word(), [
      `Content-Type: text/html\r\n\r\n<p title="${word()}">Milo writes ${word()}.</p><img src="cid:photo">`,
      `Content-Type: text/plain; name="${word()}.txt"\r\nContent-Disposition: attachment\r\n\r\n${word()}`,
      `Content-Type: image/png; name="${word()}.png"\r\nContent-ID: <photo>\r\n\r\n${word()}`,
    ]);
    await box.hasImported(1);
    const { conversation_id, contact_id } = await box.conversation();

    const reply = await adaReplies(acme, conversation_id, { content: `Yes, Milo: ${word()}` });
    if (isSending) await comesBack(kit, box, { reply, answers, word });
    const earlier = isSending ? 2 : 1;
    await byLmtp(kit, box.address, [from, `Message-ID: <${word()}@milo.test>`, "", `By LMTP: ${word()}`]);
    await box.hasImported(earlier + 1);
    const olgas = `<${randomUUID()}@other.test>`;
    await box.post([OLGA, `Message-ID: ${olgas}`], "olga", ["Content-Type: text/plain\r\n\r\nI stay"]);
    await box.hasImported(earlier + 2);
    const linked = [from, `Message-ID: <${word()}@milo.test>`, `In-Reply-To: ${olgas}`, `Subject: ${word()}`];
    await box.post(linked, word(), [`Content-Type: text/plain\r\n\r\nAbout Olga: ${word()}`]);
    await box.hasImported(earlier + 3);
    const spam = [`Authentication-Results: ${AUTHSERV_ID}; spf=pass`, "X-Spam-Flag: YES", from];
    await box.post([...spam, `Message-ID: <${word()}@milo.test>`, `Subject: ${word()}`], word(), [
      `Content-Type: text/plain\r\n\r\nSpam: ${word()}`,
    ]);
    await expect.poll(() => box.imports("spam")).toHaveLength(1);
    expect((await acme.patch(`/channels/${box.id}`, { state: "paused" })).status).toBe(200);
    const waiting = [from, `Message-ID: <${word()}@milo.test>`, `Subject: ${word()}`];
    await box.post(waiting, word(), [`Content-Type: text/plain\r\n\r\nWaiting: ${word()}`]);
    const folded = [`From: ${name}\r\n <${address}>`, `Message-ID: <${word()}@milo.test>`, `Subject: ${word()}`];
    await box.post(folded, word(), [`Content-Type: text/plain\r\n\r\nFolded: ${word()}`]);
    expect(await box.imports("stored")).toHaveLength(2);
    return contact_id;
  } finally {
    await smtp.close();
  }
}

type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** Ada's answer has been sent, and a report says that it has not reached the one whose server took it. */
async function comesBack(
  { storage }: TestApp,
  box: Mailbox,
  { reply, answers, word }: { reply: string; answers: string; word: Word },
): Promise<void> {
  const states = `SELECT state FROM mail_recipients WHERE message_id = '${reply}' ORDER BY state`;
  await expect.poll(() => query(storage, states)).toEqual([{ state: "failed" }, { state: "sent" }]);
  const [sent] = await query(storage, `SELECT header_id FROM mails WHERE message_id = '${reply}'`);
  const status = [`Final-Recipient: rfc822; ${answers}`, "Action: failed", "Status: 5.1.1"];
  await box.post(
    [`From: ${word()} <mailer-daemon@${word()}.test>`, `Message-ID: <${word()}@milo.test>`, `Subject: ${word()}`],
    word(),
    [
      `Content-Type: text/plain\r\n\r\nIt has not reached ${answers}: ${word()}`,
      [
        ...["Content-Type: message/delivery-status", "", `Reporting-MTA: dns; ${word()}.test`, "", ...status],
        `Diagnostic-Code: smtp; 550 5.1.1 ${word()} is unknown`,
      ].join("\r\n"),
      `Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${sent?.header_id}`,
    ],
    "multipart/report; report-type=delivery-status",
  );
  await box.hasImported(2);
  expect(await query(storage, states)).toEqual([{ state: "failed" }, { state: "failed" }]);
}

async function openMailbox({ app, storage }: TestApp, acme: TestTeam, port: number) {
  const address = `support-${randomUUID()}@acme.test`;
  const outbound = { host: "127.0.0.1", port, security: "none", username: "ada", password: "secret" };
  const created = await acme.post("/channels", {
    ...{
      channel: "email",
      widget_id: acme.widgetId,
      settings: { address, inbound: { kind: "http" }, outbound, authserv_id: AUTHSERV_ID },
    },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id, attributes } = created.body.data;
  const of = `team_id = '${acme.teamId}' AND account_id = '${id}'`;
  const imports = (state: string) => query(storage, `SELECT key FROM mail_imports WHERE ${of} AND state = '${state}'`);
  return {
    ...{ id: id as string, address, imports },
    hasImported: (some: number) => expect.poll(async () => (await imports("imported")).length).toBe(some),
    /** Posts a mail of several parts. */
    async post(head: readonly string[], boundary: string, parts: readonly string[], type = "multipart/mixed") {
      const body = [...parts.map((part) => `--${boundary}\r\n${part}`), `--${boundary}--`];
      const payload = [...head, `Content-Type: ${type}; boundary="${boundary}"`, "", ...body].join("\r\n");
      const headers = { "content-type": "message/rfc822" };
      const url = new URL(attributes.callback_url).pathname;
      expect((await app.http.inject({ method: "POST", url, headers, payload })).statusCode).toBe(200);
    },
    /** That of its first mail. */
    async conversation(): Promise<{ conversation_id: string; contact_id: string }> {
      const found = await query(storage, `SELECT id, contact_id FROM conversations WHERE ${of} ORDER BY id`);
      return { conversation_id: String(found[0]?.id), contact_id: String(found[0]?.contact_id) };
    },
  };
}

/** A mail as the operator's own mail server hands it over. */
async function byLmtp({ app, storage, runtime, dataDir }: TestApp, to: string, lines: readonly string[]) {
  const drafts = createDrafts(dataDir);
  const server = createLmtpServer({
    ...{ host: "127.0.0.1", port: 0, timeouts: systemTimeouts, logger: pino({ level: "silent" }) },
    recipientOf: (address) => findRecipient(storage, address),
    deliver: createDelivery({ takeRawMail: app.takeRawMail, drafts, newId: runtime.newId, onTrouble: () => {} }),
  });
  const client = await connectLmtp(await server.start());
  const { data } = await client.deliver({ to: [to], raw: `${lines.join("\r\n")}\r\n` });
  expect(data).toEqual([expect.stringMatching(/^250 /)]);
  client.hangUp();
  await server.stop();
}
