/** Mails go with what they belong to (docs/decisions/0053-erasing.md). `erase-canaries.test.ts` has contacts. */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { updateOwnProfile } from "../agents/update-own-profile.ts";
import { insertMailToken } from "../email/in/mail-store.ts";
import { keepComposedMail } from "../email/out/keep-raw-mail.ts";
import { mailToSend } from "../email/out/mail-to-send.ts";
import { mailRoom } from "../email/out/mailbox-for-tests.ts";
import { replyTokenHash } from "../email/rules/reply-token.ts";
import { createDrafts, filesFolder } from "../files/drafts.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { createRemoval } from "../files/remove-unused-files.ts";
import { mailsOfErasure } from "./mails-of-erasure.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, dataDir, clock } = kit;
await app.start();
const { mailbox, reply, newest, isIn } = mailRoom(kit);

const fileStorage = openFileStorage({ dataDir } as Parameters<typeof openFileStorage>[0]);
const removeUnusedFiles = createRemoval({ storage, fileStorage, drafts: createDrafts(dataDir) });

/** How many files are on the disk after a clean-up. */
async function filesLeft({ teamId }: TestTeam): Promise<number> {
  await removeUnusedFiles(clock.now(), () => true);
  return readdirSync(`${filesFolder(dataDir)}/${teamId}`).length;
}
const importsOf = ({ teamId }: TestTeam) =>
  query(
    storage,
    `SELECT state, raw_file IS NULL AS gone, sender FROM mail_imports WHERE team_id = '${teamId}' ORDER BY taken_at, key`,
  ).then((rows) => rows.map(({ state, gone, sender }) => [state, Boolean(gone), sender]));
async function contactOf(conversation: string): Promise<string> {
  const [row] = await query(storage, `SELECT contact_id FROM conversations WHERE id = '${conversation}'`);
  return String(row?.contact_id);
}
/** To the end. */
async function erases(acme: TestTeam, contactId: string): Promise<void> {
  const { body } = await acme.delete(`/contacts/${contactId}`);
  await expect.poll(async () => (await acme.get(`/erasures/${body.data.id}`)).body.data.attributes.state).toBe("done");
}
/** Vera writes, and is put on hold. */
async function holdsVera(acme: TestTeam, box: { arrives(): Promise<string> }): Promise<{ contactId: string }> {
  const contactId = await contactOf(await box.arrives());
  expect((await acme.post(`/contacts/${contactId}/hold`, { reason: "A case at court" })).status).toBe(200);
  return { contactId };
}
const previewedFiles = async (acme: TestTeam): Promise<number> =>
  (await acme.get("/privacy/preview?files_after_days=1")).body.data.attributes.files;

/** The lines of a conversation, as its messages say them. */
const linesOf = async (id: string) => {
  const of = `conversation_id = '${id}' AND type = 'system'`;
  const lines = await query(storage, `SELECT content FROM messages WHERE ${of} ORDER BY sort_number`);
  return lines.map(({ content }) => content);
};
const originalOf = async (acme: TestTeam, id: string) => (await acme.get(`/messages/${id}/original`)).status;

test("a redacted mail has no original any more, of ours or of theirs", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  const first = await newest(acme, conversation);
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  const second = await newest(acme, conversation);
  expect(await filesLeft(acme)).toBe(2);
  for (const { id } of [second, first]) {
    expect(await originalOf(acme, id)).toBe(200);
    expect((await acme.post(`/messages/${id}/redact`)).status).toBe(200);
    expect(await originalOf(acme, id)).toBe(404);
  }
  await expect.poll(() => filesLeft(acme)).toBe(0);
});

test("a mail that is redacted while it is composed keeps no original", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  const { id: messageId } = await newest(acme, conversation);
  await acme.post(`/messages/${messageId}/redact`);
  const actor = { kind: "channel", teamId: acme.teamId, accountId: box.id } as const;
  expect(
    await app.perform(actor, keepComposedMail, { messageId, fileId: messageId, size: 1, isQuoting: false }),
  ).toBeUndefined();
});

test("later mails lose what may quote a redacted one, and one that is still to be sent is composed without", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives({ more: ["Message-ID: <card@vera.example>"], text: "4111 1111" });
  const first = await newest(acme, conversation);
  const before = await reply(acme, conversation).then(() => newest(acme, conversation));
  await isIn(acme, conversation, "sent");
  await box.post(
    [
      ...["From: vera@vera.example", `To: ${box.address}`, "Message-ID: <thanks@vera.example>"],
      ...["In-Reply-To: <card@vera.example>", "", "Thanks.", "", "On Mon, 23 Nov 2026, Ada wrote:", "> 4111 1111"],
    ].join("\r\n"),
  );
  await expect.poll(async () => (await newest(acme, conversation)).attributes.content).toBe("Thanks.");
  const last = await newest(acme, conversation);
  const folded = `SELECT folded_text FROM mails WHERE message_id = '${last.id}'`;
  expect(String((await query(storage, folded))[0]?.folded_text)).toContain("4111");
  expect(box.smtp.mails[0]?.raw.toString()).toContain("4111");
  const actor = { kind: "channel", teamId: acme.teamId, accountId: box.id } as const;
  expect((await app.perform(actor, mailToSend, { messageId: before.id }))?.content.quoted?.text).toContain("4111");

  expect((await acme.post(`/messages/${first.id}/redact`)).status).toBe(200);
  for (const { id } of [first, before, last]) expect(await originalOf(acme, id)).toBe(404);
  expect(await query(storage, folded)).toEqual([{ folded_text: null }]);
  const { data } = (await acme.get(`/conversations/${conversation}/messages`)).body;
  const contents = data.map(({ attributes }: { attributes: { content: string } }) => attributes.content);
  expect(contents).toEqual(["Thanks.", "Yes, in stock.", ""]);
  await expect.poll(() => filesLeft(acme)).toBe(0);
  const again = await app.perform(actor, mailToSend, { messageId: before.id });
  expect(again).toMatchObject({ mail: { raw_file: null }, content: { quoted: null, text: "Yes, in stock." } });
  const composed = { messageId: before.id, fileId: before.id, size: 1, isQuoting: true };
  await expect(app.perform(actor, keepComposedMail, composed)).rejects.toThrow("redacted meanwhile");
});

test("earlier mails keep their originals when one is redacted, and all do when a note is", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  const first = await newest(acme, conversation);
  const note = await reply(acme, conversation, { type: "note" }).then(() => newest(acme, conversation));
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  const answer = await newest(acme, conversation);
  expect((await acme.post(`/messages/${note.id}/redact`)).status).toBe(200);
  expect(await originalOf(acme, answer.id)).toBe(200);
  expect((await acme.post(`/messages/${answer.id}/redact`)).status).toBe(200);
  expect(await originalOf(acme, first.id)).toBe(200);
});

test("a contact who is erased while a reply is being sent to them blocks no later reply of the mailbox", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme, { dot: "silence" });
  const [veras, wills] = [await box.arrives(), await box.arrives({ from: "will@will.example" })];
  await reply(acme, veras);
  await box.smtp.silent();
  await erases(acme, await contactOf(veras));
  expect(await query(storage, `SELECT 1 FROM messages WHERE conversation_id = '${veras}'`)).toEqual([]);
  box.smtp.plays({});
  box.smtp.breaksSilence("250 2.0.0 taken");
  await reply(acme, wills);
  await isIn(acme, wills, "sent");
  for (const [table, column, is] of [
    ["external_messages", "conversation_id", veras],
    ["mail_recipients", "address", "vera@vera.example"],
    ["outbox_attempts", "outcome", "delivered' AND result LIKE '%vera.example%"],
  ])
    expect(
      await query(storage, `SELECT 1 FROM ${table} WHERE team_id = '${acme.teamId}' AND ${column} = '${is}'`),
    ).toEqual([]);
});

test("with its account go the mails that have become no message; those of conversations stay", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  for (const name of ["wait", "fail"])
    await box.post(`From: ${name}@vera.example\r\nMessage-ID: <${name}@v.example>\r\n\r\n${name}`);
  await query(
    storage,
    `UPDATE mail_imports SET state = 'failed' WHERE team_id = '${acme.teamId}' AND sender = 'fail@vera.example'`,
  );
  expect(await filesLeft(acme)).toBe(3);
  expect((await acme.delete(`/channels/${box.id}`)).status).toBe(200);
  expect(await filesLeft(acme)).toBe(1);
  expect((await importsOf(acme)).toSorted()).toEqual([
    ["ignored", true, null],
    ["ignored", true, null],
    ["imported", false, "vera@vera.example"],
  ]);
  expect(await originalOf(acme, (await newest(acme, conversation)).id)).toBe(200);
});

test("with a contact go their mails whose import has failed, and those alone", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  for (const name of ["VERA", "will"]) await box.post(`From: <${name}@vera.example>\r\n\r\n${name}`);
  await query(
    storage,
    `UPDATE mail_imports SET state = 'failed' WHERE team_id = '${acme.teamId}' AND state = 'stored'`,
  );
  await erases(acme, await contactOf(conversation));
  expect((await importsOf(acme)).toSorted()).toEqual([
    ["erased", true, null],
    ["erased", true, null],
    ["failed", false, "will@vera.example"],
  ]);
  const named = `SELECT 1 FROM mail_imports WHERE team_id = '${acme.teamId}' AND state = 'erased' AND message_id IS NOT NULL`;
  expect(await query(storage, named)).toEqual([]);
  expect(await filesLeft(acme)).toBe(1);
});

test("with a contact go the suppressions of their addresses and of those that were answered, and no other person's", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  await box.arrives({ from: "will@vera.example" });
  const more = ["Reply-To: Answers@vera.example"];
  const conversation = await box.arrives({ from: "vera@vera.example", cc: "will@vera.example", more });
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  const suppressions = () => acme.get(`/channels/${box.id}/suppressions`).then(({ body }) => JSON.stringify(body.data));
  for (const name of ["vera", "answers", "will", "else"])
    await query(
      storage,
      `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at)
        VALUES ('${acme.teamId}', '${box.id}', '${name}@vera.example', '', 1)`,
    );
  for (const name of ["vera", "answers", "will", "else"]) expect(await suppressions()).toContain(name);
  await erases(acme, await contactOf(conversation));
  for (const name of ["vera@", "answers"]) expect(await suppressions()).not.toContain(name);
  for (const name of ["will", "else"]) expect(await suppressions()).toContain(name);
});

test("mails that a removed agent has sent or forwarded are without their name", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme, {}, { authserv_id: "mx.acme.example" });
  const [olga, mia] = [await signedIn(kit, acme, "CHAT_AGENT_OWNER"), await signedIn(kit, acme)];
  const { agentId } = mia.actor;
  const name = `Mia${agentId.slice(0, 8)}`;
  await app.perform(mia.actor, updateOwnProfile, { name, filesUrl: "https://chat.acme.test/files" });
  const conversation = await box.arrives();
  await reply(acme, conversation, { agent_id: agentId });
  await isIn(acme, conversation, "sent");
  await box.post(
    [
      ...[`From: ${mia.email}`, `To: ${box.address}`, "Authentication-Results: mx.acme.example; dmarc=pass"],
      ...["", "---------- Forwarded message ---------", "From: Will <will@vera.example>"],
      ...["Date: Mon, 1 Jun 2026", "Subject: Size 40?", `To: <${mia.email}>`, "", "Where is it?"],
    ].join("\r\n"),
  );
  const lines = async () => {
    const rows = await query(
      storage,
      `SELECT content FROM messages WHERE team_id = '${acme.teamId}' AND type = 'system'`,
    );
    return rows.map(({ content }) => content);
  };
  await expect.poll(lines).toEqual([`Forwarded by ${name}.`]);
  const stored = () =>
    query(storage, `SELECT sender FROM mails WHERE team_id = '${acme.teamId}' AND direction = 'out'`);
  expect(JSON.stringify(await stored())).toContain(name);

  await olga.post(`/agents/${agentId}/deactivate`, {});
  expect((await olga.post(`/agents/${agentId}/remove`, {})).status).toBe(200);
  await expect.poll(lines).toEqual(["Forwarded by Former colleague."]);
  await expect.poll(async () => JSON.stringify(await acme.events())).not.toContain(name);
  const [mail] = await stored();
  expect(JSON.parse(String(mail?.sender))).toEqual({ name: "Website", address: box.address });
  expect(await originalOf(acme, (await newest(acme, conversation)).id)).toBe(200);
});

test("a contact is named by the address of their mails, also where their email was changed", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const contactId = await contactOf(await box.arrives({ from: "v.ray@people.example" }));
  expect((await acme.put(`/contacts/${contactId}`, { email: "vera@new.example" })).status).toBe(200);
  for (const address of ["V.Ray@people.example", "will@people.example"]) {
    const values = [acme.teamId, randomUUID(), "send-mail", "", "failed", `550 <${address}>: no such mailbox`];
    await query(
      storage,
      `INSERT INTO jobs (team_id, id, kind, payload_sealed, state, last_error, attempts, run_at, created_at)
        VALUES (${values.map((value) => `'${value}'`).join(", ")}, 6, ${clock.now()}, ${clock.now()})`,
    );
  }
  await erases(acme, contactId);
  const jobs = `SELECT last_error FROM jobs WHERE team_id = '${acme.teamId}' AND state = 'failed'`;
  expect((await query(storage, jobs)).map(({ last_error }) => last_error).toSorted()).toEqual([
    "550 <will@people.example>: no such mailbox",
    null,
  ]);
});

test("lines in the conversations of others do not name an erased writer any more, nor lead to their conversation", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const veras = await box.arrives({ more: ["Message-ID: <asked@vera.example>"] });
  const [from, id] = ["Mal.Ory@evil.example", "<forged@evil.example>"];
  const theirs = await box.arrives({ from, more: [`Message-ID: ${id}`, "In-Reply-To: <asked@vera.example>"] });
  await storage.write(acme.teamId, (db) => {
    const token = { token_hash: replyTokenHash("a".repeat(26)), address: "vera@vera.example" };
    return db.run(insertMailToken, { team_id: acme.teamId, conversation_id: veras, ...token });
  });
  const to = box.address.replace("@", `+r.${"a".repeat(26)}@`);
  expect(await box.arrives({ from, to })).toBe(veras);
  const others = await box.arrives({ from: "will@good.example", more: [`In-Reply-To: ${id}`] });
  expect(await linesOf(veras)).toEqual([
    `${from} wrote an email that refers to this conversation: ${theirs}`,
    `${from} was not part of this conversation so far.`,
  ]);
  expect(await linesOf(others)).toEqual([`This email refers to another conversation: ${theirs}`]);

  const contactId = await contactOf(theirs);
  await erases(acme, contactId);
  expect(await linesOf(veras)).toEqual([
    "The sender wrote an email that refers to this conversation.",
    "The sender was not part of this conversation so far.",
  ]);
  expect(await linesOf(others)).toEqual(["This email refers to another conversation."]);
  const added = (await acme.events()).filter(({ name }) => name === "system-line.added");
  expect(added).toHaveLength(5);
  for (const named of [from, contactId, theirs]) expect(JSON.stringify(added)).not.toContain(named);
});

test("files that are old go with the originals of what came in; the texts, and what was sent, stay", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  const asked = await newest(acme, conversation);
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  await query(storage, `UPDATE mails SET sent_at = 0 WHERE team_id = '${acme.teamId}'`);
  await eraseOldFiles(kit, acme.teamId);
  expect(await originalOf(acme, asked.id)).toBe(404);
  expect(await originalOf(acme, (await newest(acme, conversation)).id)).toBe(200);
  const erased = (await acme.events()).find(({ name }) => name === "conversation.files-erased");
  expect(erased?.data).toMatchObject({ message_ids: [asked.id] });
  const { body } = await acme.get(`/conversations/${conversation}/messages`);
  expect(body.data.at(-1).attributes.content).toMatch(/^Hello/);
});

test("the record has the mails of a conversation, of its texts those up to where they go, and none of a mailbox that goes too", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const id = `<first-${acme.teamId}@vera.example>`;
  const conversation_id = await box.arrives({ more: [`Message-ID: ${id}`] });
  expect(await box.arrives({ more: [`In-Reply-To: ${id}`] })).toBe(conversation_id);
  const keyOf = `SELECT mail_imports.key, messages.sort_number FROM mail_imports JOIN messages ON messages.id = message_id
    WHERE mail_imports.team_id = '${acme.teamId}' ORDER BY sort_number`;
  const [first, second] = await query(storage, keyOf);
  const keys = async (texts_up_to: number | null, widget_id: string | null = null) => {
    const of = { team_id: acme.teamId, message_id: null, widget_id };
    const hidden = { contacts: [], conversations: [{ conversation_id, texts_up_to }] };
    return (await mailsOfErasure(storage, of, hidden)).map(({ accountId, key }) => [accountId, key]).toSorted();
  };
  expect(await keys(null)).toEqual([first, second].map((one) => [box.id, one?.key]).toSorted());
  expect(await keys(Number(first?.sort_number))).toEqual([[box.id, first?.key]]);
  expect(await keys(null, acme.widgetId)).toEqual([]);
});

test("with a contact on hold, their mails that have become no message outlast the account, and go with them", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const { contactId } = await holdsVera(acme, box);
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  for (const name of ["vera", "will"]) await box.post(`From: ${name}@vera.example\r\n\r\nWaiting`);
  expect((await acme.delete(`/channels/${box.id}`)).status).toBe(200);
  expect((await importsOf(acme)).toSorted()).toEqual([
    ["failed", false, "vera@vera.example"],
    ["ignored", true, null],
    ["imported", false, "vera@vera.example"],
  ]);
  expect(await filesLeft(acme)).toBe(2);
  await acme.delete(`/contacts/${contactId}/hold`);
  await erases(acme, contactId);
  expect(await filesLeft(acme)).toBe(0);
});

test("old mails whose import has failed go with old files, but not those that wait or whose writer is on hold", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const { contactId } = await holdsVera(acme, box);
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  const raw = (name: string) => `From: ${name}@vera.example\r\nMessage-ID: <${name}@v.example>\r\n\r\n${name}`;
  for (const name of ["vera", "wait", "fail", "new"]) await box.post(raw(name));
  const ofAcme = `team_id = '${acme.teamId}'`;
  const error = "state = 'failed', error = 'Error: canary'";
  await query(
    storage,
    `UPDATE mail_imports SET ${error} WHERE ${ofAcme} AND state = 'stored' AND sender NOT LIKE 'wait%'`,
  );
  await query(storage, `UPDATE mail_imports SET taken_at = 0 WHERE ${ofAcme} AND sender <> 'new@vera.example'`);
  expect(await previewedFiles(acme)).toBe(1);
  await eraseOldFiles(kit, acme.teamId);
  await box.post(raw("fail"));
  expect((await importsOf(acme)).toSorted()).toEqual([
    ["failed", false, "new@vera.example"],
    ["failed", false, "vera@vera.example"],
    ["ignored", true, null],
    ["imported", false, "vera@vera.example"],
    ["stored", false, "wait@vera.example"],
  ]);
  expect(await query(storage, `SELECT 1 FROM mail_imports WHERE ${ofAcme} AND error IS NOT NULL`)).toHaveLength(2);
  expect(await filesLeft(acme)).toBe(4);
  await acme.patch(`/channels/${box.id}`, { state: "active" });
  await expect.poll(() => importsOf(acme)).toContainEqual(["imported", false, "wait@vera.example"]);
  await acme.delete(`/contacts/${contactId}/hold`);
  await eraseOldFiles(kit, acme.teamId);
  expect(await filesLeft(acme)).toBe(3);
});

test("a waiting mail that a hold has kept when its account was deleted goes with old files after the hold", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const { contactId } = await holdsVera(acme, box);
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  await box.post("From: vera@vera.example\r\n\r\nWaiting");
  await acme.delete(`/channels/${box.id}`);
  await query(storage, `UPDATE mail_imports SET taken_at = 0 WHERE team_id = '${acme.teamId}'`);
  await eraseOldFiles(kit, acme.teamId);
  expect(await filesLeft(acme)).toBe(2);
  await acme.delete(`/contacts/${contactId}/hold`);
  await eraseOldFiles(kit, acme.teamId);
  expect(await filesLeft(acme)).toBe(1);
});

test("a widget whose mailbox was deleted can be removed, with all that the mailbox has left", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  await box.arrives();
  await acme.delete(`/channels/${box.id}`);
  const { status, body } = await acme.delete(`/widgets/${acme.widgetId}`, { conversations: "erase" });
  expect(status).toBe(202);
  await expect.poll(async () => (await acme.get(`/erasures/${body.data.id}`)).body.data.attributes.state).toBe("done");
  expect(await filesLeft(acme)).toBe(0);
  for (const table of ["mails", "mail_imports", "mail_folders", "mail_suppressions"])
    expect(await query(storage, `SELECT 1 FROM ${table} WHERE team_id = '${acme.teamId}'`)).toEqual([]);
});
