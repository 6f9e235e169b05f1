/** What of the folder of sent mails comes in once, and what never does: docs/decisions/0067-replies-from-mail-programs.md */
import { eraseAtOnce } from "@frontdesk/testing/erase-at-once";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { answers, NOT_FOLLOWED, rowsOf, SERVER, sentRoom } from "./sent-room-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" });
const { app, storage } = kit;
const { dovecot, mailOf, scene, colleagueOf } = await sentRoom(kit);

test("nothing is stored of private and unrelated mails, of which only headers are fetched", async () => {
  const box = await scene();
  const { acme, files, veraWrites, hasPassed, address, fetched } = box;
  const asked = await veraWrites();
  const colleague = await colleagueOf(acme);
  const before = await rowsOf(storage, box);
  fetched.length = 0;
  // To a friend; about something else with the same subject; to a supplier, about the conversation; to a colleague about it.
  await files({ to: "friend@home.example", text: "Private" });
  await files({ text: "Another matter" });
  await files({ to: "supplier@factory.example", more: answers(asked.id), text: "Can you deliver?" });
  await files({ to: colleague.email, more: answers(asked.id), text: "What do you think?" });
  // From no one of the team: of a stranger, of the contact, moved there, and with two senders.
  await files({ from: "nina@nina.example", more: answers(asked.id), text: "Of a stranger" });
  await files({ from: "vera@vera.example", to: address, more: answers(asked.id), text: "Moved" });
  await files({ from: `${acme.ada.email}, mallory@evil.example`, more: answers(asked.id), text: "Two senders" });
  // What programs send.
  await files({ more: [...answers(asked.id), "Auto-Submitted: auto-replied"], text: "I am away" });
  await files({ more: ["In-Reply-To: <unknown@elsewhere.example>"], text: "To an unknown mail" });
  // What came in under the mailbox's address, and was moved there by a filter.
  const verdict = `Authentication-Results: ${SERVER}; dmarc=fail`;
  await files({ from: address, more: [verdict, ...answers(asked.id)], text: "Forged" });
  await hasPassed();
  expect(await rowsOf(storage, box)).toEqual(before);
  expect(fetched.filter(({ asks }) => "source" in asks)).toEqual([]);
  // Twice where the connection was lost meanwhile.
  expect(new Set(fetched.map(({ uid }) => uid)).size).toBe(10);
});

test("nothing is stored of what was in the folder before", async () => {
  const { stop, start, files, hasPassed, veraWrites, texts, accountId } = await scene();
  const asked = await veraWrites();
  await stop();
  await query(storage, `UPDATE mail_folders SET sent_position = NULL WHERE account_id = '${accountId}'`);
  await files({ more: answers(asked.id), text: "Before" });
  start();
  await hasPassed();
  await files({ more: answers(asked.id), text: "After" });
  await hasPassed();
  expect(await texts()).not.toContain("Before");
  expect(await texts()).toContain("After");
});

test("nothing is stored of our own mails and their copies, also where a server has replaced their ids", async () => {
  const box = await scene();
  const { acme, files, veraWrites, hasPassed, address } = box;
  const asked = await veraWrites();
  const { body } = await acme.post("/messages", { conversation_id: asked.conversationId, content: "By Frontdesk" });
  const [mail] = await query(storage, `SELECT * FROM mails WHERE message_id = '${body.data.id}'`);
  const { reply_to } = JSON.parse(String(mail?.recipients));
  const before = await rowsOf(storage, box);
  const own = { from: `Ada <${address}>`, text: "By Frontdesk" };
  await files({ ...own, id: String(mail?.header_id), more: answers(asked.id) });
  await files({ ...own, more: [...answers(asked.id), `Reply-To: ${reply_to[0].address}`] });
  await files({ ...own, more: [...answers(asked.id), `X-Microsoft-Original-Message-ID: ${mail?.header_id}`] });
  await hasPassed();
  expect(await rowsOf(storage, box)).toEqual(before);
});

test("nothing is stored of any of them, where the setting is off; switched on, it begins from then on", async () => {
  const box = await scene(NOT_FOLLOWED);
  const { acme, accountId, files, veraWrites, texts, until, position, hasPassed } = box;
  const asked = await veraWrites();
  await files({ more: answers(asked.id), text: "While it is off" });
  await veraWrites({ text: "Another one" });
  expect(await position()).toBeUndefined();
  const set = (sent_folder: boolean) =>
    acme.patch(`/channels/${accountId}`, { settings: { inbound: { sent_folder } } });
  expect((await set(true)).body.data.attributes.settings.inbound.sent_folder).toBe(true);
  await until(async () => (await position()) !== undefined);
  await files({ more: answers(asked.id), text: "Switched on" });
  await hasPassed();
  await set(false);
  await until(async () => (await position()) === undefined);
  expect((await texts()).filter((text) => /off|on/.test(String(text)))).toEqual(["Another one", "Switched on"]);
});

test("a reply comes in once, in its order over restarts, a new UIDVALIDITY, copies, and moves to the inbox and back", async () => {
  const box = await scene();
  const { files, veraWrites, hasPassed, stop, start, user, program, texts, until, address } = box;
  const asked = await veraWrites();
  const replies = Array.from({ length: 8 }, (_, index) => `Reply ${index + 1}`);
  const raws: string[] = [];
  for (const [index, text] of replies.entries()) {
    raws.push(await files({ more: answers(asked.id), text }));
    if (index % 3 === 0) {
      await stop();
      start();
    }
  }
  await hasPassed();
  const all = ["Hello", ...replies];
  expect(await texts()).toEqual(all);

  await stop();
  await dovecot.doveadm("mailbox", "update", "-u", user, "--uid-validity", "4000000000", "Sent");
  raws.push(await files({ more: answers(asked.id), text: "Reply 9" }));
  start();
  await until(async () => (await box.position())?.uidValidity === 4_000_000_000);
  await hasPassed();
  expect(await texts()).toEqual([...all, "Reply 9"]);

  // The same one again; saved by its program and by its server; moved to the inbox, and back.
  await program.append("Sent", String(raws[0]), ["\\Seen"]);
  await program.append("Sent", String(raws[1]).replace("\r\n\r\n", "\r\nX-Mailer: A program\r\n\r\n"), ["\\Seen"]);
  await hasPassed();
  await program.mailboxOpen("Sent");
  await program.messageMove("1:3", "INBOX");
  dovecot.deliver(user, mailOf({ from: "nina@nina.example", to: address, text: "The inbox is read" }));
  await box.says("The inbox is read");
  await program.mailboxOpen("INBOX");
  const moved = await program.search({ from: box.acme.ada.email }, { uid: true });
  await program.messageMove((moved || []).join(","), "Sent", { uid: true });
  await hasPassed();
  expect((await texts()).toSorted()).toEqual([...all, "Reply 9", "The inbox is read"].toSorted());
});

test("a reply comes in once, also when its contact was erased: nothing of it is kept, and it does not come back", async () => {
  const box = await scene();
  const { acme, files, veraWrites, hasPassed, says, messages, stop, start, user, program, accountId } = box;
  const asked = await veraWrites();
  const raw = await files({ more: answers(asked.id), text: "Canary" });
  await says("Canary");
  const file = (await messages()).at(-1)?.raw_file;
  await eraseAtOnce(app.perform, acme, asked.contactId);
  const rows = await query(storage, `SELECT * FROM mail_imports WHERE account_id = '${accountId}'`);
  const nothing = { state: "erased", raw_file: null, message_id: null, sender: null };
  expect(rows).toMatchObject([nothing, nothing]);
  expect(await query(storage, `SELECT state FROM files WHERE id = '${file}' AND state = 'stored'`)).toEqual([]);
  const before = await rowsOf(storage, box);
  await stop();
  await dovecot.doveadm("mailbox", "update", "-u", user, "--uid-validity", "4100000000", "Sent");
  start();
  await program.append("INBOX", raw);
  await hasPassed();
  await veraWrites({ from: "nina@nina.example", text: "The inbox is read" });
  expect((await box.texts()).filter((text) => text === "Canary")).toEqual([]);
  expect((await rowsOf(storage, box)).imports).toBe(before.imports + 1);
});
