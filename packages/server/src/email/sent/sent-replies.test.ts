/** Replies from mail programs, on a real Dovecot: docs/decisions/0067-replies-from-mail-programs.md */
import { Readable } from "node:stream";
import { eraseAtOnce } from "@frontdesk/testing/erase-at-once";
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";
import { reactivateAgent } from "../../agents/reactivate-agent.ts";
import { removeAgent } from "../../agents/remove-agent.ts";
import { exported, json, opened } from "../../privacy/export-for-tests.ts";
import { holdContact } from "../../privacy/hold-contact.ts";
import { importMail } from "../in/import-mail.ts";
import { readIncoming } from "../in/incoming-mail.ts";
import { nextMailImports } from "../in/mail-import-store.ts";
import { parseMail } from "../parse/parse-mail.ts";
import { answers, sentRoom } from "./sent-room-for-tests.ts";

/** What the import of a mail that says "held" waits for. */
let held = Promise.resolve();
const readMail = async (raw: Uint8Array) => {
  if (Buffer.from(raw).includes("held")) await held;
  return parseMail(raw);
};
const settings = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" };
const kit = await startTestApp(settings, undefined, undefined, undefined, readMail);
const { app, storage, clock } = kit;
const { dovecot, date, mailOf, scene, colleagueOf } = await sentRoom(kit);
const MINUTE_MS = 60_000;

const conversation = async (acme: TestTeam, id: string) =>
  (await query(storage, `SELECT * FROM conversations WHERE team_id = '${acme.teamId}' AND id = '${id}'`))[0];

const headerIdOf = async (id: unknown) =>
  (await query(storage, `SELECT header_id FROM mails WHERE message_id = '${id}'`))[0]?.header_id;

test("a reply from a mail program is a message of the agent whose address it is from, answers and reads the conversation, and is sent nowhere", async () => {
  const { acme, says, files, veraWrites, messages, accountId, address } = await scene();
  const asked = await veraWrites();
  expect(await conversation(acme, asked.conversationId)).toMatchObject({ unread_messages: 1 });
  const text = "Yes, in stock.\r\n\r\nOn Mon, Vera wrote:\r\n> Hello";
  const raw = await files({ more: [...answers(asked.id), "Cc: will@will.example"], text });
  await says("Yes, in stock.");
  const sent = (await messages()).at(-1);
  expect(sent).toMatchObject({
    ...{ conversation_id: asked.conversationId, agent_id: acme.ada.id, type: "message", sent_via: "channel" },
    ...{ origin: "email", direction: "out" },
  });
  const after = await conversation(acme, asked.conversationId);
  expect(after).toMatchObject({ unread_messages: 0, waiting_since: null, episode_replies: 1, is_resolved: 0 });
  expect(after?.team_seen_number).toBe(sent?.sort_number);
  expect(after?.last_reply_by).toBe(acme.ada.id);
  const [episode] = await query(storage, `SELECT * FROM episodes WHERE conversation_id = '${asked.conversationId}'`);
  expect(episode).toMatchObject({ first_reply_by: acme.ada.id, replies: 1, waiting_since: null });

  const names = (await acme.events()).map(({ name }) => name);
  expect(names).toContain("message.sent-elsewhere");
  expect(names).not.toContain("message.sent");
  expect(await query(storage, `SELECT 1 FROM outbox_items WHERE queue_id = '${accountId}'`)).toEqual([]);
  const fields = "include_fields=content,type,delivery,email";
  const { body } = await acme.get(`/conversations/${asked.conversationId}/messages?${fields}`);
  expect(body.data[0].attributes).toMatchObject({
    ...{ content: "Yes, in stock.", delivery: null },
    email: { to: [{ address: "vera@vera.example" }], cc: [{ address: "will@will.example" }] },
  });
  const original = await acme.get(`/messages/${sent?.id}/original`);
  expect(original.body.toString()).toBe(raw);
  expect((await acme.post(`/messages/${sent?.id}/send-again`)).status).toBe(422);

  // Vera's answer to it joins, and the next reply goes to her.
  await veraWrites({ more: [`In-Reply-To: ${(await headerIdOf(sent?.id)) ?? ""}`], text: "Thanks" });
  expect((await messages()).at(-1)).toMatchObject({ content: "Thanks", conversation_id: asked.conversationId });
  const reply = await acme.post("/messages", { conversation_id: asked.conversationId, content: "Welcome" });
  expect(reply.status).toBe(201);
  const recipients = await query(
    storage,
    `SELECT address FROM mail_recipients WHERE message_id = '${reply.body.data.id}'`,
  );
  expect(recipients).toEqual([{ address: "vera@vera.example" }]);
  expect(address).not.toBe("vera@vera.example");
});

test("a reply from a mail program from the mailbox's own address is of the account's own row, which is no agent anywhere else", async () => {
  const { acme, says, files, veraWrites, messages, address } = await scene();
  const asked = await veraWrites();
  const agentsBefore = (await acme.get("/agents")).body;
  for (const text of ["First", "Second"]) {
    await files({ from: `Support <${address}>`, more: answers(asked.id), text });
    await says(text);
  }
  const [first, second] = (await messages()).slice(-2);
  expect(first?.agent_id).toBe(second?.agent_id);
  const shown = await acme.get(`/agents/${first?.agent_id}`);
  expect(shown.body.data.attributes).toMatchObject({ name: address, email: null, status: "deactivated" });
  // Its name may be that of a person, and nothing would erase it there.
  expect(JSON.parse(String(first?.sender))).toEqual({ name: null, address });
  expect((await acme.get("/agents")).body).toEqual(agentsBefore);
  const named = { conversation_id: asked.conversationId, content: "No", agent_id: String(first?.agent_id) };
  expect((await acme.post("/messages", named)).status).toBe(422);
  const agentId = String(first?.agent_id);
  await expect(app.perform(acme.actor, reactivateAgent, { agentId })).rejects.toThrow();
  await expect(app.perform(acme.actor, removeAgent, { agentId })).rejects.toThrow();
});

test("a reply from a mail program from an alias of the mailbox counts once the alias is listed", async () => {
  const { acme, says, files, veraWrites, messages, hasPassed, accountId } = await scene();
  const asked = await veraWrites();
  const from = "Sales <sales@acme.example>";
  await files({ from, more: answers(asked.id), text: "Too early" });
  await hasPassed();
  await acme.patch(`/channels/${accountId}`, { settings: { aliases: ["Sales@acme.example"] } });
  await files({ from, more: answers(asked.id), text: "By sales" });
  await says("By sales");
  const [, ...replies] = await messages();
  expect(replies.map(({ content, conversation_id }) => [content, conversation_id])).toEqual([
    ["By sales", asked.conversationId],
  ]);
});

test("a reply from a mail program that is dated before the visitor's last mail, and does not answer it, leaves the conversation waiting and unread", async () => {
  const { acme, says, files, veraWrites } = await scene();
  const asked = await veraWrites();
  const earlier = date(-MINUTE_MS);
  clock.advance(MINUTE_MS);
  const again = await veraWrites({ more: answers(asked.id), text: "And size 41?" });
  await files({ more: answers(asked.id), text: "About 40: yes", date: earlier });
  await says("About 40: yes");
  const waiting = await conversation(acme, asked.conversationId);
  expect(waiting).toMatchObject({ unread_messages: 2, episode_replies: 0 });
  expect(waiting?.waiting_since).not.toBeNull();
  // A wrong clock does not matter where it says what it answers.
  await files({ more: answers(again.id), text: "About 41: no", date: earlier });
  await says("About 41: no");
  expect(await conversation(acme, asked.conversationId)).toMatchObject({ unread_messages: 0, waiting_since: null });
});

test("a reply from a mail program of an agent who is removed later has neither their name nor their address", async () => {
  const { acme, says, files, veraWrites, messages, address } = await scene();
  const carl = await colleagueOf(acme);
  const asked = await veraWrites();
  await files({ from: `Carl <${carl.email}>`, more: answers(asked.id), text: "By Carl" });
  await says("By Carl");
  const sender = async () => JSON.parse(String((await messages()).at(-1)?.sender));
  expect(await sender()).toEqual({ name: "Carl", address: carl.email });
  await app.perform(acme.actor, deactivateAgent, { agentId: carl.id });
  await app.perform(acme.actor, removeAgent, { agentId: carl.id });
  await expect.poll(sender).toEqual({ name: "Website", address });
});

test("a reply from a mail program keeps no Bcc", async () => {
  const { says, files, veraWrites, acme, messages } = await scene();
  const asked = await veraWrites();
  await files({
    more: [...answers(asked.id), "Bcc: boss@acme.example,", " secret@acme.example"],
    text: "With copies",
  });
  await says("With copies");
  const original = await acme.get(`/messages/${(await messages()).at(-1)?.id}/original`);
  expect(original.body.toString()).toContain("In-Reply-To");
  expect(original.body.toString()).not.toMatch(/^bcc:|boss|secret/im);
});

test("a reply from a mail program is the team's in an export, and its original goes with the files of its age, unless a hold keeps it", async () => {
  const { acme, files, veraWrites, says, messages } = await scene();
  const { id, contactId } = await veraWrites();
  await files({ more: answers(id), text: "In stock" });
  await says("In stock");
  const zip = await opened(kit, acme, (await exported(acme, contactId)).url);
  const exportedMessages = json(zip, "conversations.json").conversations[0].messages;
  expect(exportedMessages).toMatchObject([{ from: "contact" }, { from: "team", content: "In stock" }]);
  expect(zip.read(exportedMessages[1].original.file).toString()).toContain("In stock");

  const original = async () => (await acme.get(`/messages/${(await messages()).at(-1)?.id}/original`)).status;
  await query(storage, `UPDATE mails SET sent_at = 0 WHERE team_id = '${acme.teamId}'`);
  await app.perform(acme.actor, holdContact, { contactId, reason: "A dispute", until: undefined });
  await eraseOldFiles(kit, acme.teamId);
  expect(await original()).toBe(200);
  await query(storage, `DELETE FROM holds WHERE team_id = '${acme.teamId}'`);
  await eraseOldFiles(kit, acme.teamId);
  expect(await original()).toBe(404);
  expect((await messages()).at(-1)).toMatchObject({ content: "In stock", raw_file: null });
});

test("a reply from a mail program that waits for its import goes with the contact whom it answers", async () => {
  const { acme, accountId, stop, veraWrites, texts } = await scene();
  const asked = await veraWrites();
  await stop();
  await acme.patch(`/channels/${accountId}`, { state: "paused" });
  const channel = { kind: "channel", teamId: acme.teamId, accountId } as const;
  const raw = mailOf({ from: acme.ada.email, to: "vera@vera.example", more: answers(asked.id), text: "Canary" });
  const { key } = await app.takeRawMail(channel, Readable.from([Buffer.from(raw)]), "sent");
  await eraseAtOnce(app.perform, acme, asked.contactId);
  await acme.patch(`/channels/${accountId}`, { state: "active" });
  const [row] = await query(storage, `SELECT * FROM mail_imports WHERE key = '${key}'`);
  expect(row).toMatchObject({ state: "erased", raw_file: null, sender: null });
  expect(await texts()).not.toContain("Canary");
});

test("a reply from a mail program waits while the account is paused, and is never imported as a mail that came in", async () => {
  const { acme, accountId, stop, veraWrites, says, texts, messages } = await scene();
  const asked = await veraWrites();
  await stop();
  const set = (state: string) => acme.patch(`/channels/${accountId}`, { state });
  expect((await set("paused")).status).toBe(200);
  const channel = { kind: "channel", teamId: acme.teamId, accountId } as const;
  const raw = mailOf({ from: acme.ada.email, to: "vera@vera.example", more: answers(asked.id), text: "Waits" });
  const { key, outcome } = await app.takeRawMail(channel, Readable.from([Buffer.from(raw)]), "sent");
  expect(outcome).toBe("taken");
  const row = () => query(storage, `SELECT state, sender FROM mail_imports WHERE key = '${key}'`);
  expect(await row()).toEqual([{ state: "sent", sender: "vera@vera.example" }]);
  // What a process of an older version does: it finds none, and would import none.
  const now = clock.now();
  expect(
    await storage.first(nextMailImports.stored, { team_id: acme.teamId, account_id: accountId, now, limit: 1 }),
  ).toBeUndefined();
  const mail = readIncoming(await parseMail(Buffer.from(raw)), { ownAddresses: [], formAddresses: [] }, null);
  const asReceived = { key, mail, attachments: [], fileIds: [] };
  expect(await app.perform(channel, importMail, asReceived)).toEqual({ state: "none" });
  expect(await row()).toMatchObject([{ state: "sent" }]);
  expect(await texts()).not.toContain("Waits");
  expect((await set("active")).status).toBe(200);
  await says("Waits");
  expect((await messages()).at(-1)).toMatchObject({ agent_id: acme.ada.id, direction: "out" });
  expect(await row()).toMatchObject([{ state: "imported" }]);
});

test("a reply from a mail program waits for the import of what it answers, also after an outage", async () => {
  const { says, files, stop, start, until, user, address, texts, position, looks, accountId } = await scene();
  await stop();
  const importing = Promise.withResolvers<void>();
  held = importing.promise;
  dovecot.deliver(user, mailOf({ to: address, id: "<outage@vera.example>", text: "Asked, held" }));
  await files({ more: answers("<outage@vera.example>"), text: "Answered" });
  const before = await position();
  start();
  const waits = `SELECT 1 FROM mail_imports WHERE account_id = '${accountId}' AND state = 'stored'`;
  await until(async () => (await query(storage, waits)).length === 1);
  const looked = looks.length;
  await until(async () => looks.length > looked + 2);
  expect(await position()).toEqual(before);
  importing.resolve();
  await says("Answered");
  expect(await texts()).toEqual(["Asked, held", "Answered"]);
});
