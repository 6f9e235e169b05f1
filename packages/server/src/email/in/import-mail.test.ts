/** How raw mails become messages, each once. */
import { Readable } from "node:stream";
import { browser } from "@frontdesk/testing/browser-visitor";
import { eraseAtOnce } from "@frontdesk/testing/erase-at-once";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import type { ChannelActor } from "../../access/actor.ts";
import { createChannelAccount } from "../../channels/create-channel-account.ts";
import { noteExternalMessage } from "../../channels/external-message-store.ts";
import { setChannelAccountState } from "../../channels/set-channel-account-state.ts";
import { repliesToMail } from "../../conversations/replies-to-mail.ts";
import { sendMessage } from "../../conversations/send-message.ts";
import { createDrafts } from "../../files/drafts.ts";
import { openFileStorage } from "../../files/open-file-storage.ts";
import { createRemoval } from "../../files/remove-unused-files.ts";
import { createPerform } from "../../perform.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { readMessageIds } from "../rules/message-ids.ts";
import { replyTokenHash } from "../rules/reply-token.ts";
import { importMailJob } from "./import-mail-job.ts";
import { insertMailToken } from "./mail-store.ts";

const { app, storage, runtime, clock, dataDir, team } = await startTestApp(
  {},
  undefined,
  undefined,
  undefined,
  async (raw) => plainMail(Buffer.from(raw).toString()),
);
const fileStorage = openFileStorage({ dataDir } as Parameters<typeof openFileStorage>[0]);
const filesUrl = "https://chat.test/files/";
const drafts = createDrafts(dataDir);
const troubles: unknown[] = [];
const run = importMailJob(
  {
    ...{ perform: () => app.perform, drafts, fileStorage, newId: runtime.newId, filesUrl },
    parse: async (raw) => plainMail(Buffer.from(raw).toString()),
    onTrouble: (error) => troubles.push(error),
  },
  "stored",
);

/** The mails of these tests are plain texts. One that says so cannot be read, or breaks its reader. */
function plainMail(raw: string): ParsedMail | undefined {
  if (raw.includes("UNREADABLE")) return undefined;
  if (raw.includes("BREAKS")) throw new Error("It breaks.");
  const [head = "", ...body] = raw.split("\r\n\r\n");
  const headers = head.split("\r\n").map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  const headerOf = (name: string) => headers.find(([each]) => each === name)?.[1] ?? "";
  const addresses = (name: string) => (headerOf(name) ? [{ name: null, address: headerOf(name) }] : []);
  return {
    headers,
    messageId: readMessageIds(headerOf("message-id"))[0] ?? null,
    inReplyTo: readMessageIds(headerOf("in-reply-to")),
    references: readMessageIds(headerOf("references")),
    ...{ from: addresses("from"), replyTo: addresses("reply-to"), to: addresses("to"), cc: addresses("cc") },
    ...{ subject: headerOf("subject"), date: null, text: body.join("\n\n"), html: null, textOfHtml: null },
    ...{ parts: [], attachments: [] },
    contentType: { type: "text/plain", params: {} },
  };
}

let mails = 0;
let chats = 0;
/** As an installation that sends mail. */
const beside = createPerform(storage, { ...runtime, sendsMail: true });

async function openMailbox(acme: TestTeam, more: object = {}) {
  const address = `support@acme-${runtime.newId()}.example`;
  const { id: accountId } = await app.perform(acme.actor, createChannelAccount, {
    ...{
      channel: "email",
      name: "Support",
      homeWidgetId: acme.widgetId,
      providerKey: address,
      settings: { address, ...more },
    },
  });
  const actor: ChannelActor = { kind: "channel", teamId: acme.teamId, accountId };
  const take = (raw: string) => app.takeRawMail(actor, Readable.from([Buffer.from(raw)]));
  const importAll = () =>
    run({ accountId }, { teamId: acme.teamId, id: "", cause: null, signal: new AbortController().signal });
  const deliver = async (headers: Record<string, string>, text = "Hello") => {
    mails += 1;
    const all = { From: "vera@vera.example", "Message-ID": `<${mails}@test.example>`, To: address, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const raw = `${lines.join("\r\n")}\r\n\r\n${text}\r\n`;
    return { raw, id: all["Message-ID"], ...(await take(raw)) };
  };
  const arrive = async (headers: Record<string, string>, text?: string) => {
    const taken = await deliver(headers, text);
    await isTried(taken.key);
    return { ...taken, row: await importOf(taken.key) };
  };
  /** A job of the app imports it. */
  const isTried = (key: string) =>
    expect
      .poll(async () => {
        const { state, attempts } = await importOf(key);
        return state !== "stored" || Number(attempts) > 0;
      })
      .toBe(true);
  const importOf = async (key: string) =>
    (
      await query(
        storage,
        `SELECT mail_imports.*, messages.conversation_id, messages.type, messages.content, conversations.contact_id
          FROM mail_imports LEFT JOIN messages ON messages.id = mail_imports.message_id
          LEFT JOIN conversations ON conversations.id = messages.conversation_id
          WHERE mail_imports.account_id = '${accountId}' AND key = '${key}'`,
      )
    )[0] as Record<string, string | number | null>;
  return { accountId, address, actor, take, deliver, isTried, importAll, arrive, importOf };
}

const linesOf = async ({ row }: { row: Record<string, unknown> }) => {
  const of = `conversation_id = '${row.conversation_id}' AND type = 'system'`;
  return (await query(storage, `SELECT content FROM messages WHERE ${of} ORDER BY sort_number`)).map(
    ({ content }) => content,
  );
};
const conversationsOf = async (acme: TestTeam) =>
  (await acme.get("/conversations/all")).body.meta.pagination.total as number;
const namesOf = async (acme: TestTeam) => (await acme.events()).map(({ name }) => name);

test("a mail begins a conversation with its subject and id, and its original is kept", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const { row, id } = await mailbox.arrive({ Subject: "Re: Invoice" }, "Where is it?");
  expect(row).toMatchObject({
    state: "imported",
    type: "message",
    content: "Where is it?",
    sender: "vera@vera.example",
  });
  const [conversation] = await query(storage, `SELECT * FROM conversations WHERE id = '${row.conversation_id}'`);
  expect(conversation).toMatchObject({ channel: "email", email_subject: "Invoice", external_identifier: id });
  const [mail] = await query(storage, `SELECT * FROM mails WHERE message_id = '${row.message_id}'`);
  expect(mail).toMatchObject({ direction: "in", header_id: id, subject: "Re: Invoice", raw_file: row.raw_file });
  expect((await namesOf(acme)).filter((name) => /created|received/.test(name)).slice(-3)).toEqual([
    ...["contact.created", "conversation.created", "message.received"],
  ]);
});

test("the same mail again, at once and later, makes nothing", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const raw = "From: vera@vera.example\r\nMessage-ID: <same@vera.example>\r\n\r\nOnce\r\n";
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => mailbox.take(raw)));
  expect(outcomes.filter(({ outcome }) => outcome === "taken")).toHaveLength(1);
  await Promise.all([mailbox.importAll(), mailbox.importAll()]);
  expect((await mailbox.take(`Received: again\r\n${raw}`)).outcome).toBe("known");
  clock.advance(40 * 86_400_000);
  expect((await mailbox.take(raw)).outcome).toBe("known");
  await mailbox.importAll();
  expect((await namesOf(acme)).filter((name) => name === "message.received")).toHaveLength(1);
  const files = await query(storage, `SELECT state, used_at FROM files WHERE team_id = '${acme.teamId}'`);
  expect(files).toHaveLength(1);
});

test("50 mails with one subject of 50 people are 50 conversations", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  for (let n = 0; n < 50; n += 1) await mailbox.arrive({ From: `p${n}@people.example`, Subject: "Invoice" });
  expect(await conversationsOf(acme)).toBe(50);
});

describe("an answer", () => {
  test("of a person of the conversation joins it and reopens it; a stranger's with the same id does not", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme);
    const first = await mailbox.arrive({ Subject: "Invoice" });
    await acme.post(`/conversations/${first.row.conversation_id}/resolve`, { status: "resolved" });
    const forged = await mailbox.arrive({ From: "mallory@evil.example", "In-Reply-To": first.id });
    expect(forged.row.conversation_id).not.toBe(first.row.conversation_id);
    expect(await linesOf(forged)).toEqual([`This email refers to another conversation: ${first.row.conversation_id}`]);
    const line = `mallory@evil.example wrote an email that refers to this conversation: ${forged.row.conversation_id}`;
    expect(await linesOf(first)).toEqual([line]);
    const own = await mailbox.arrive({ "In-Reply-To": first.id });
    expect(own.row).toMatchObject({ conversation_id: first.row.conversation_id, state: "imported" });
    expect(await namesOf(acme)).toContain("conversation.reopened");
  });

  test("to the id that a relay has put in place of ours joins too, and a copy of our mail with that id is ignored", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme);
    const first = await mailbox.arrive({});
    const relayed = "<0102018f@eu-west-1.amazonses.com>";
    const { accountId, address } = mailbox;
    const { message_id, conversation_id } = first.row;
    await storage.write(acme.teamId, (db) =>
      db.run(noteExternalMessage, {
        ...{ team_id: acme.teamId, account_id: accountId, external_id: relayed, direction: "out" },
        message_id: String(message_id),
      }),
    );
    const answer = await mailbox.arrive({ "In-Reply-To": relayed });
    expect(answer.row.conversation_id).toBe(conversation_id);
    expect((await mailbox.arrive({ "Message-ID": relayed, From: address })).row.state).toBe("ignored");
  });

  test("with the token of a conversation joins it, marked when its writer was no part of it; a guessed token does not", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme);
    const first = await mailbox.arrive({});
    const token = "a".repeat(26);
    await storage.write(acme.teamId, (db) =>
      db.run(insertMailToken, {
        ...{ team_id: acme.teamId, token_hash: replyTokenHash(token), address: "vera@vera.example" },
        conversation_id: String(first.row.conversation_id),
      }),
    );
    const to = (each: string) => mailbox.address.replace("@", `+r.${each}@`);
    const colleague = await mailbox.arrive({ From: "carl@vera.example", To: to(token) });
    expect(colleague.row.conversation_id).toBe(first.row.conversation_id);
    expect(await linesOf(first)).toEqual(["carl@vera.example was not part of this conversation so far."]);
    const guessed = await mailbox.arrive({ From: "mallory@evil.example", To: to("b".repeat(26)) });
    expect(guessed.row.conversation_id).not.toBe(first.row.conversation_id);
  });
});

test("an answer shows what is new and folds what it quotes; a first mail shows all", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const text = "It fits.\n\nOn Mon, 23 Nov 2026, Ada wrote:\n> Does it fit?";
  const first = await mailbox.arrive({}, text);
  expect(first.row.content).toBe(text);
  const answer = await mailbox.arrive({ "In-Reply-To": first.id }, text);
  expect(answer.row).toMatchObject({ conversation_id: first.row.conversation_id, content: "It fits." });
  const [mail] = await query(storage, `SELECT folded_text FROM mails WHERE message_id = '${answer.row.message_id}'`);
  expect(String(mail?.folded_text).trim()).toBe(text.slice("It fits.".length).trim());
});

test("a mail that the account's own server calls forged joins nothing; the word of any other server counts for nothing", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme, { authserv_id: "mx.acme.example" });
  const first = await mailbox.arrive({});
  const judged = (server: string, result: string) =>
    mailbox.arrive({
      "Authentication-Results": `${server}; dmarc=${result} header.from=vera.example`,
      "In-Reply-To": first.id,
    });
  const forged = await judged("mx.acme.example", "fail");
  expect(forged.row.conversation_id).not.toBe(first.row.conversation_id);
  expect(await linesOf(forged)).toEqual(["This email may not be from vera@vera.example."]);
  for (const { row } of [await judged("mx.acme.example", "pass"), await judged("mx.evil.example", "fail")])
    expect(row.conversation_id).toBe(first.row.conversation_id);
});

test("a mail joins no contact whose address was typed in a chat, and no browser sees it, whatever address it types", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const email = "vera@vera.example";
  const before = browser(app, acme, { address: `198.51.100.${++chats}` });
  const { body } = await before.write("Hello", { name: "Vera", email });
  const mail = await mailbox.arrive({ From: email }, "Only for the team");
  expect(mail.row.contact_id).not.toBe(body.contact.id);
  const after = browser(app, acme, { address: `198.51.100.${++chats}` });
  await after.write("Hello again", { name: "Vera", email });
  for (const vera of [before, after])
    expect(JSON.stringify((await vera.chat()).body)).not.toContain("Only for the team");
  const said = await acme.post("/conversations", { widget_id: acme.widgetId, email, content: "By a program" });
  expect(said.status).toBe(200);
  expect(JSON.stringify(said.body)).not.toContain(String(mail.row.conversation_id));
});

describe("an answer to the mail about unseen replies of a chat", () => {
  /** Vera has chatted and left; the mail with Ada's reply has the address that this resolves to. */
  async function mailedChat(acme: TestTeam) {
    const vera = browser(app, acme, { address: `198.51.100.${++chats}` });
    const { body } = await vera.write("Do you ship to Portugal?", { name: "Vera", email: "vera@vera.example" });
    const conversationId: string = body.message.conversation_id;
    await beside(acme.actor, sendMessage, {
      ...{ conversationId, type: "message", content: "We do.", agentId: acme.ada.id, attachments: [] },
    });
    clock.advance(180_000);
    const replies = await beside({ kind: "system", teamId: acme.teamId }, repliesToMail, { conversationId });
    return { vera, conversationId, answerTo: replies?.answerTo };
  }
  const said = async (acme: TestTeam, id: string) =>
    (await acme.get(`/conversations/${id}/messages`)).body.data.map(
      ({ attributes }: { attributes: { content: string; origin: string; type: string } }) => attributes,
    );

  test("is a message of the chat, seen there, and one by a stranger with the same address is not", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme);
    const { vera, conversationId, answerTo } = await mailedChat(acme);
    expect(answerTo).toMatch(/^support\+r\.[a-z2-7]{26}@acme-/);
    const stranger = await mailbox.arrive({ From: "mallory@evil.example", To: String(answerTo) }, "Send it to me");
    expect(stranger.row.state).toBe("imported");
    expect(stranger.row.conversation_id).not.toBe(conversationId);
    const answer = await mailbox.arrive({ To: String(answerTo) }, "Great.\n\nOn Mon, Ada wrote:\n> We do.");
    expect(answer.row.conversation_id).toBe(conversationId);
    expect(await linesOf(answer)).toEqual([expect.stringContaining("mallory@evil.example")]);
    expect(await said(acme, conversationId)).toMatchObject([
      { content: "Great.", origin: "chat" },
      { content: "We do." },
      { content: "Do you ship to Portugal?" },
    ]);
    const away = await mailbox.arrive({ To: String(answerTo), "Auto-Submitted": "auto-replied" }, "I'm away.");
    expect(away.row).toMatchObject({ state: "imported", conversation_id: conversationId, type: "system" });
    const { messages } = (await vera.chat()).body;
    const texts = messages.map(({ content }: { content: string }) => content);
    expect(texts).toEqual(["Great.", "We do.", "Do you ship to Portugal?"]);
  });

  test("has no address without a mailbox of the same brand that takes mail", async () => {
    const acme = await team();
    expect((await mailedChat(acme)).answerTo).toBeUndefined();
    const mailbox = await openMailbox(acme, { plus_addressing: false });
    expect((await mailedChat(acme)).answerTo).toBeUndefined();
    const { accountId } = await openMailbox(acme);
    expect((await mailedChat(acme)).answerTo).toBeDefined();
    for (const id of [accountId, mailbox.accountId]) {
      await app.perform(acme.actor, setChannelAccountState, { accountId: id, state: "paused" });
    }
    expect((await mailedChat(acme)).answerTo).toBeUndefined();
  });
});

describe("a mail that an agent forwards to the mailbox", () => {
  const FORWARD =
    "---------- Forwarded message ---------\nFrom: Vera <vera@vera.example>\nDate: Mon, 1 Jun 2026\nSubject: Invoice\nTo: <ada@acme.example>\n\nWhere is it?";

  test("begins a conversation with who wrote it, when the account's own server vouches for the agent", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme, { authserv_id: "mx.acme.example" });
    const forwarded = (result: string, from = acme.ada.email) =>
      mailbox.arrive({ From: from, "Authentication-Results": `mx.acme.example; dmarc=${result}` }, FORWARD);
    const { row } = await forwarded("pass");
    const contact = (await acme.get(`/contacts/${row.contact_id}`)).body.data.attributes;
    expect(contact).toMatchObject({ name: "Vera", email: "vera@vera.example" });
    expect(await linesOf({ row })).toEqual([`Forwarded by ${acme.ada.name}.`]);
    const [mail] = await query(storage, `SELECT sender, recipients FROM mails WHERE message_id = '${row.message_id}'`);
    expect(JSON.parse(String(mail?.sender)).address).toBe("vera@vera.example");
    expect(JSON.parse(String(mail?.recipients))).toEqual({
      ...{ to: [], cc: [] },
      reply_to: [{ name: "Vera", address: "vera@vera.example" }],
    });
    // Anyone can write that they forward something, and anyone can write an agent's address.
    for (const { row: other } of [await forwarded("none"), await forwarded("pass", "mallory@evil.example")]) {
      expect(other.contact_id).not.toBe(row.contact_id);
      expect(await linesOf({ row: other })).toEqual([]);
    }
  });
});

test("a mail with more than one sender joins nothing, whatever it refers to", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const first = await mailbox.arrive({});
  const raw = [
    ...["From: vera@vera.example", "From: mallory@evil.example", `To: ${mailbox.address}`],
    ...["Message-ID: <two@evil.example>", `In-Reply-To: ${first.id}`, "", "Pay here"],
  ].join("\r\n");
  const { key } = await mailbox.take(raw);
  await mailbox.isTried(key);
  const row = await mailbox.importOf(key);
  expect(row.conversation_id).not.toBe(first.row.conversation_id);
  expect(await linesOf({ row })).toEqual(["This email may not be from vera@vera.example."]);
});

describe("nothing reacts to", () => {
  test("automatic mail: it reopens nothing, is not unread, and is no event of a message", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme);
    const first = await mailbox.arrive({});
    await acme.post(`/conversations/${first.row.conversation_id}/resolve`, { status: "resolved" });
    const before = (await namesOf(acme)).length;
    const away = await mailbox.arrive({ "In-Reply-To": first.id, "Auto-Submitted": "auto-replied" }, "I am away.");
    expect(away.row).toMatchObject({
      type: "system",
      content: "I am away.",
      conversation_id: first.row.conversation_id,
    });
    const letter = await mailbox.arrive({ From: "news@shop.example", "List-Id": "<news.shop.example>" });
    expect(letter.row).toMatchObject({ type: "system", state: "automatic" });
    expect(
      (await namesOf(acme)).slice(before).filter((name) => !/^(?:system-line.added|contact.created)$/.test(name)),
    ).toEqual([]);
  });

  test("the 21st mail of a sender in an hour: it is held", async () => {
    const acme = await team();
    const mailbox = await openMailbox(acme);
    const states: unknown[] = [];
    for (let n = 0; n < 22; n += 1) states.push((await mailbox.arrive({}, `Mail ${n}`)).row.state);
    expect(states.filter((state) => state === "held")).toHaveLength(2);
    expect(states.slice(0, 20)).not.toContain("held");
  });
});

test("a blocked sender's mail leaves nothing but that it came", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const first = await mailbox.arrive({});
  await query(storage, `UPDATE contacts SET blocked_at = 1 WHERE id = '${first.row.contact_id}'`);
  const { row } = await mailbox.arrive({}, "Again");
  expect(row).toMatchObject({ state: "ignored", raw_file: null, message_id: null, sender: null });
});

test("a mail that cannot be read says so, and one that breaks its import delays no other", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const broken = await mailbox.arrive({}, "BREAKS");
  const unreadable = await mailbox.arrive({}, "UNREADABLE");
  expect(unreadable.row.content).toBe("This email could not be read. Its original is attached.");
  expect(broken.row).toMatchObject({ state: "stored", attempts: 1 });
  for (let n = 0; n < 6; n += 1) {
    clock.advance(3_600_000);
    await mailbox.importAll();
  }
  expect(await mailbox.importOf(broken.key)).toMatchObject({
    state: "failed",
    attempts: 5,
    error: "Error: It breaks.",
  });
});

test("while the account is paused, mails are stored, and imported in their order afterwards", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const { actor } = acme;
  await app.perform(actor, setChannelAccountState, { accountId: mailbox.accountId, state: "paused" });
  const waiting = [await mailbox.deliver({}, "First"), await mailbox.deliver({}, "Second")];
  await mailbox.importAll();
  for (const { key } of waiting) expect((await mailbox.importOf(key)).state).toBe("stored");
  await app.perform(actor, setChannelAccountState, { accountId: mailbox.accountId, state: "active" });
  for (const { key } of waiting) await mailbox.isTried(key);
  const stored = await query(storage, `SELECT content FROM messages WHERE team_id = '${acme.teamId}' ORDER BY id`);
  expect(stored.map(({ content }) => content)).toEqual(["First", "Second"]);
});

test("nothing of an erased contact's mails is kept but the hash by which they are known", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const { row, raw, key } = await mailbox.arrive({ Subject: "canary-subject" }, "canary-text");
  await eraseAtOnce(app.perform, acme, String(row.contact_id));
  await createRemoval({ storage, fileStorage, drafts })(clock.now() + 86_400_000, () => true);
  const rows = await query(storage, `SELECT * FROM mail_imports WHERE key = '${key}'`);
  expect(rows).toMatchObject([{ raw_file: null, message_id: null, sender: null, state: "erased" }]);
  expect(await query(storage, `SELECT * FROM mails WHERE message_id = '${row.message_id}'`)).toEqual([]);
  expect(await fileStorage.read({ teamId: acme.teamId, id: String(row.raw_file) })).toBeUndefined();
  expect((await mailbox.take(raw)).outcome).toBe("known");
});
