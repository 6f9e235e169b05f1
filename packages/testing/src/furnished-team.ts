/** A team with one of everything that an operation of the API takes the id of, for tests about other teams' ids. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesFolder } from "@frontdesk/server/files/drafts";
import type { Storage } from "@frontdesk/server/storage/database";
import { expect } from "vitest";
import { robinJoins } from "./assistant-at-work.ts";
import { query } from "./second-app.ts";
import type { TestApp, TestTeam } from "./test-kit.ts";

export type FurnishedKind =
  | "widget"
  | "channel"
  | "contact"
  | "conversation"
  | "agent"
  | "webhook"
  | "delivery"
  | "assistant"
  | "article"
  | "message"
  | "run";

export interface FurnishedTeam extends TestTeam {
  ids: Record<FurnishedKind, string>;
}

/** `name` is in all of its texts. Without an erasure and an export, which take longer: `finishDataRequests` adds them. */
export async function furnishedTeam(
  { team, storage, dataDir }: Pick<TestApp, "team" | "storage" | "dataDir">,
  name: string,
): Promise<FurnishedTeam> {
  const acme = await team();
  const { body: contact } = await acme.post("/contacts/initialize", {
    widgetId: acme.widgetId,
    name: `${name} visitor`,
    email: `${name}@visitor.test`,
    phone: name === "acme" ? "+4915112345678" : "+33655500000",
    message: { content: `${name} question`, urls: [`https://files.test/${name}`] },
    page_visited: [{ page: `https://${name}.test/`, date: "2026-11-20T08:00:00Z" }],
  });
  const conversation: string = (await acme.get("/conversations/all")).body.data[0].id;
  const { body: reply } = await acme.post("/messages", { conversation_id: conversation, content: `${name} reply` });
  const hook = { name: `${name} hook`, endpoint_url: `https://${name}.test/hook`, events: ["message.sent"] };
  const { body: webhook } = await acme.post("/webhooks", hook);
  const { body: delivery } = await acme.post(`/webhooks/${webhook.data.id}/test`);
  await acme.post(`/webhooks/${webhook.data.id}/rotate`);
  const asked = { question: `Where does ${name} ship to?`, answer: `${name} ships everywhere.` };
  const { body: article } = await acme.post("/articles", asked);
  await acme.put(`/contacts/${contact.data.id}/custom-data/plan`, { value: `${name} value` });
  await acme.put(`/contacts/${contact.data.id}/custom-data/${name}`, { value: "" });
  for (const tag of ["shipping", `${name} tag`]) await acme.post(`/conversations/${conversation}/tags`, { name: tag });
  await acme.post(`/conversations/${conversation}/assignments`, { agent_id: acme.ada.id });
  const channel = await mailboxOf({ storage }, acme);
  await failsToSend({ storage }, acme, { messageId: reply.data.id, channelId: channel });
  const original = { messageId: reply.data.id, conversationId: conversation, channelId: channel };
  await isAMail({ storage, dataDir }, acme, original, `Subject: ${name}\r\n\r\n<p>${name} reply</p>`);
  const ids = {
    widget: acme.widgetId,
    channel,
    contact: contact.data.id,
    conversation,
    agent: acme.ada.id,
    webhook: webhook.data.id,
    delivery: delivery.data.id,
    assistant: (await robinJoins(acme, { name: `${name} helper` })).id,
    article: article.data.id,
    message: reply.data.id,
    run: await runOf({ storage }, acme, { conversationId: conversation, contactId: contact.data.id }),
  };
  return { ...acme, ids };
}

type Stored = Pick<TestApp, "storage">;

/** A run of the AI in a conversation: it has handed it over. */
export async function runOf(
  { storage }: Stored,
  { teamId }: Pick<TestTeam, "teamId">,
  { conversationId, contactId }: { conversationId: string; contactId: string },
): Promise<string> {
  const id = randomUUID();
  await query(
    storage,
    `INSERT INTO ai_runs (team_id, id, conversation_id, contact_id, episode, outcome, reason, sources, tokens_in, tokens_out,
      milliseconds, created_at)
    VALUES ('${teamId}', '${id}', '${conversationId}', '${contactId}', 1, 'handed-over', 'nothing-found', '[]', 1, 1, 1, 0)`,
  );
  return id;
}

/**
 * A mailbox, of a widget of its own: a widget with a mailbox is not removed. Its mail server does not exist, and an address of it
 * is suppressed, that of the examples.
 */
export async function mailboxOf({ storage }: Stored, acme: TestTeam): Promise<string> {
  const { body: widget } = await acme.post("/widgets", { name: "Mail" });
  const settings = {
    address: `support-${acme.teamId}@mail.example`,
    inbound: { kind: "http" },
    outbound: { host: "smtp.mail.invalid", port: 465, security: "tls", username: null },
  };
  const { body } = await acme.post("/channels", { channel: "email", widget_id: widget.data.id, settings });
  const path = `/channels/${body.data.id}`;
  // A job tries it.
  await expect.poll(async () => (await acme.get(path)).body.data.attributes.state).toBe("failing");
  await query(
    storage,
    `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at)
     VALUES ('${acme.teamId}', '${body.data.id}', 'gone@example.com', '550 5.1.1 No such user', 1)`,
  );
  return body.data.id;
}

/** A reply that could not be sent through a channel, for what can be done about it. */
export async function failsToSend(
  { storage }: Stored,
  { teamId }: TestTeam,
  { messageId, channelId }: { messageId: string; channelId: string },
): Promise<void> {
  await query(
    storage,
    `INSERT INTO outbox_items (team_id, queue_id, event_number, receiver, event_id, event_name, state, attempt, last_attempt,
       run_at, created_at, ended_at, message_id)
     SELECT team_id, '${channelId}', number, 'channel', id, name, 'failed', 1, 1, 0, 1, 1, '${messageId}'
       FROM events WHERE team_id = '${teamId}' AND name = 'message.sent' ORDER BY number DESC LIMIT 1`,
  );
}

/** Makes a message a mail that was sent, with its original on the disk. */
export async function isAMail(
  { storage, dataDir }: Pick<TestApp, "storage" | "dataDir">,
  { teamId }: TestTeam,
  { messageId, conversationId, channelId }: { messageId: string; conversationId: string; channelId: string },
  raw: string,
): Promise<void> {
  const file = { id: randomUUID(), folder: join(filesFolder(dataDir), teamId) };
  mkdirSync(file.folder, { recursive: true });
  writeFileSync(join(file.folder, file.id), raw);
  await query(
    storage,
    `INSERT INTO files (team_id, id, token_hash, name, mime, size, state, sent_by, created_at, used_at)
     VALUES ('${teamId}', '${file.id}', '${file.id}', 'mail.eml', 'message/rfc822', ${Buffer.byteLength(raw)}, 'stored', 'channel:${channelId}', 1, 1)`,
  );
  await query(
    storage,
    `INSERT INTO mails (team_id, message_id, conversation_id, account_id, direction, subject, recipients, reference_ids, raw_file,
       sent_at)
     VALUES ('${teamId}', '${messageId}', '${conversationId}', '${channelId}', 'out', 'Shipping', '{"to":[],"cc":[],"reply_to":[]}',
       '[]', '${file.id}', 1)`,
  );
}

/** An erasure and an export of the team, both done: their jobs change nothing of it any more. */
export async function finishDataRequests(
  storage: Storage,
  acme: FurnishedTeam,
  name: string,
): Promise<{ erasure: string; export: string }> {
  const other = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, name: `${name} to erase` });
  const { body: erasure } = await acme.delete(`/contacts/${other.body.data.id}`);
  const { body: exported } = await acme.post(`/contacts/${acme.ids.contact}/export`);
  const jobs = `SELECT state FROM jobs WHERE team_id = '${acme.teamId}' AND kind IN ('erase', 'export-contact')`;
  await expect.poll(() => query(storage, jobs)).toEqual([{ state: "done" }, { state: "done" }]);
  return { erasure: erasure.data.id, export: exported.data.id };
}
