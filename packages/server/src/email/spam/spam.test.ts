/** Emails that the mailbox's own server calls spam are kept apart (docs/decisions/0065-spam.md). */
import { readdirSync } from "node:fs";
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { query } from "@frontdesk/testing/second-app";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { keepErasedMailsOut } from "../../backup/keep-erased-mails-out.ts";
import { createDrafts, filesFolder } from "../../files/drafts.ts";
import { openFileStorage } from "../../files/open-file-storage.ts";
import { createRemoval } from "../../files/remove-unused-files.ts";
import { exported } from "../../privacy/export-for-tests.ts";
import { mailRoom } from "../out/mailbox-for-tests.ts";
import { forgetAllOldSpam, SPAM_LIFE_MS } from "./forget-old-spam.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, dataDir, clock } = kit;
await app.start();
const { mailbox } = mailRoom(kit);
const fileStorage = openFileStorage({ dataDir } as Parameters<typeof openFileStorage>[0]);
const removeUnusedFiles = createRemoval({ storage, fileStorage, drafts: createDrafts(dataDir) });

const VERDICT = "Authentication-Results: mx.acme.example; spf=pass";
const SPAM = [VERDICT, "X-Spam-Flag: YES"];
const DAY_MS = 86_400_000;
/** Every mail has an id of its own. */
let mails = 0;

interface Post {
  from?: string;
  headers?: readonly string[];
  subject?: string;
  body?: string;
}

function mailOf({
  from = "Sly <Sly@spam.example>",
  headers = SPAM,
  subject = "Win a car",
  body = "Click here",
}: Post = {}) {
  mails += 1;
  const ids = headers.some((line) => line.startsWith("Message-ID:")) ? [] : [`Message-ID: <${mails}@spam.example>`];
  return [...headers, `From: ${from}`, `Subject: ${subject}`, ...ids, "", body].join("\r\n");
}

async function openBox(acme: TestTeam, settings: object = { authserv_id: "mx.acme.example" }) {
  const box = await mailbox(acme, {}, settings);
  /** Posts a mail, and waits until it is imported, or not. */
  async function takes(mail?: Post): Promise<Record<string, unknown>> {
    const raw = mailOf(mail);
    await box.post(raw);
    const ended = async () => {
      const waiting = `team_id = '${acme.teamId}' AND account_id = '${box.id}' AND state = 'stored'`;
      return (await query(storage, `SELECT 1 FROM mail_imports WHERE ${waiting}`)).length;
    };
    await expect.poll(ended).toBe(0);
    const of = `mail_imports.team_id = '${acme.teamId}' AND account_id = '${box.id}'`;
    const rows = await query(
      storage,
      `SELECT mail_imports.*, messages.conversation_id FROM mail_imports LEFT JOIN messages ON messages.id = message_id
        WHERE ${of} ORDER BY taken_at, COALESCE(raw_file, message_id)`,
    );
    return rows.at(-1) as Record<string, unknown>;
  }
  return { ...box, takes };
}

const importsOf = ({ teamId }: TestTeam) =>
  query(storage, `SELECT * FROM mail_imports WHERE team_id = '${teamId}' ORDER BY state, sender`);
const statesOf = async (acme: TestTeam) => (await importsOf(acme)).map(({ state }) => state);
const namesOf = async (acme: TestTeam) => (await acme.events()).map(({ name }) => name);
const conversationsOf = async (acme: TestTeam) => (await acme.get("/conversations/all")).body.data;
const mia = (acme: TestTeam) => signedIn(kit, acme);
/** How many files a team has after a clean-up. */
async function filesLeft({ teamId }: TestTeam): Promise<number> {
  await removeUnusedFiles(clock.now(), () => true);
  return readdirSync(`${filesFolder(dataDir)}/${teamId}`).length;
}
const forgetsOld = () => forgetAllOldSpam({ storage, perform: app.perform }, clock.now() - SPAM_LIFE_MS, () => true);
async function contactOf(conversation: string): Promise<string> {
  const [row] = await query(storage, `SELECT contact_id FROM conversations WHERE id = '${conversation}'`);
  return String(row?.contact_id);
}

describe("what a mailbox's own server calls spam", () => {
  test("is no conversation, has no contact and no event, and keeps only its original", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const before = await namesOf(acme);
    const type = 'Content-Type: multipart/mixed; boundary="b"';
    const parts = [
      "Content-Type: text/plain\r\n\r\nClick\r\n  here",
      'Content-Disposition: attachment; filename="a.txt"\r\n\r\nA',
    ];
    const body = `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--`;
    const row = await box.takes({ headers: [...SPAM, type], subject: "=?utf-8?q?=E2=82=AC1000_for_you?=", body });
    expect(row).toMatchObject({
      state: "spam",
      message_id: null,
      sender: "sly@spam.example",
      not_spam: 0,
      error: null,
    });
    expect(JSON.parse(String(row.preview))).toEqual({ name: "Sly", subject: "€1000 for you", excerpt: "Click here" });
    expect(await filesLeft(acme)).toBe(1);
    expect(await conversationsOf(acme)).toEqual([]);
    expect((await acme.get("/contacts")).body.data).toEqual([]);
    expect(await namesOf(acme)).toEqual(before);
    const [account] = await query(storage, `SELECT last_received_at FROM channel_accounts WHERE id = '${box.id}'`);
    expect(Number(account?.last_received_at)).toBe(clock.now());
  });

  test("is known by that server alone", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    expect((await box.takes({ headers: [VERDICT, "Received: by mx", "X-Spam-Flag: YES"] })).state).toBe("imported");
    const silent = await openBox(acme, {});
    expect((await silent.takes()).state).toBe("imported");
  });

  test("is imported when it answers a conversation by right, and not when a stranger refers to it", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const vera = { from: "vera@vera.example" };
    const first = await box.takes({ ...vera, headers: [VERDICT, "Message-ID: <first@vera.example>"] });
    const answer = [...SPAM, "In-Reply-To: <first@vera.example>"];
    const joined = await box.takes({ ...vera, headers: answer });
    expect(joined).toMatchObject({ state: "imported", conversation_id: first.conversation_id });
    expect((await box.takes({ headers: answer })).state).toBe("spam");
  });

  test("is imported when an agent has forwarded it", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const headers = ["Authentication-Results: mx.acme.example; dmarc=pass", "X-Spam-Flag: YES"];
    const body =
      "---------- Forwarded message ---------\nFrom: Vera <vera@vera.example>\nSubject: Invoice\nTo: <ada@acme.example>\n\nWhere is it?";
    const row = await box.takes({ from: acme.ada.email, headers, body });
    expect(row).toMatchObject({ state: "imported", sender: "vera@vera.example" });
  });

  test("is ignored when its sender is blocked", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const first = await box.takes({ headers: [VERDICT] });
    const contactId = await contactOf(String(first.conversation_id));
    expect((await (await mia(acme)).post(`/inbox/contacts/${contactId}/block`)).status).toBe(200);
    await box.takes();
    expect(await statesOf(acme)).toEqual(["ignored", "imported"]);
  });
});

test("the list has the newest first, in pages with the total, and nothing of others", async () => {
  const [acme, other] = [await kit.team(), await kit.team()];
  const [box, theirs] = [await openBox(acme), await openBox(other)];
  await theirs.takes({ subject: "Theirs" });
  for (const subject of ["One", "Two", "Three"]) {
    clock.advance(1_000);
    await box.takes({ subject, from: subject === "Two" ? "sly@spam.example" : "Sly <sly@spam.example>" });
  }
  const agent = await mia(acme);
  const first = (await agent.get("/inbox/spam?limit=2")).body;
  expect(first).toMatchObject({
    spam: [
      {
        channel_id: box.id,
        sender: { name: "Sly", address: "sly@spam.example" },
        subject: "Three",
        excerpt: "Click here",
      },
      { sender: { name: null }, subject: "Two" },
    ],
    total: 3,
  });
  expect(Date.parse(first.spam[0].received_at)).toBe(clock.now());
  const second = (await agent.get(`/inbox/spam?limit=2&before=${first.next}`)).body;
  expect(second).toMatchObject({ spam: [{ subject: "One" }], next: null, total: 3 });
  expect((await agent.get("/inbox/spam?before=soon")).status).toBe(422);
  const byKey = { ...OWN_PAGE, "x-api-key": acme.apiKey };
  const answer = await app.http.inject({ url: "/app/api/inbox/spam", headers: byKey });
  expect(answer.statusCode).toBe(403);
});

test("the text of spam is plain and bounded, and its original is as it came", async () => {
  const acme = await kit.team();
  const box = await openBox(acme);
  const html = '<p>Pay <a href="https://spam.example/pay">here</a></p><script>alert(1)</script>';
  const { raw_file: id } = await box.takes({ headers: [...SPAM, "Content-Type: text/html"], body: html });
  const agent = await mia(acme);
  expect((await agent.get(`/inbox/spam/${id}/text`)).body).toEqual({
    text: "Pay here [https://spam.example/pay]",
    is_cut: false,
  });
  const url = `/app/api/inbox/spam/${id}/original`;
  const headers = { cookie: agent.cookie, ...OWN_PAGE };
  const saved = await app.http.inject({ url, headers });
  expect(saved.headers).toMatchObject({
    "content-type": "message/rfc822",
    "content-disposition": 'attachment; filename="original.eml"',
    "content-security-policy": "default-src 'none'; sandbox",
  });
  expect(saved.payload).toContain(html);
  const head = await app.http.inject({ method: "HEAD", url, headers });
  expect([head.statusCode, head.payload]).toEqual([200, ""]);

  const long = await box.takes({ body: "a".repeat(30_000) });
  const { body } = await agent.get(`/inbox/spam/${long.raw_file}/text`);
  expect([body.text.length, body.is_cut]).toEqual([20_000, true]);
});

describe("an email that an agent says is no spam", () => {
  test("is imported as any other, with its files and events, once", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const { raw_file: id } = await box.takes({ subject: "Order 7" });
    const agent = await mia(acme);
    expect((await agent.post(`/inbox/spam/${id}/not-spam`)).body).toEqual({ is_paused: false });
    await expect.poll(() => statesOf(acme)).toEqual(["imported"]);
    expect((await importsOf(acme))[0]).toMatchObject({ not_spam: 1, preview: null, raw_file: id });
    expect(await namesOf(acme)).toEqual(expect.arrayContaining(["conversation.created", "message.received"]));
    expect((await agent.get("/inbox/counts")).body.views.open).toEqual({ count: 1, unread: 1 });
    expect((await agent.get("/inbox/spam")).body).toEqual({ spam: [], next: null, total: 0 });
    expect((await agent.post(`/inbox/spam/${id}/not-spam`)).status).toBe(404);
    expect((await agent.delete(`/inbox/spam/${id}`)).status).toBe(404);
    expect((await agent.get(`/inbox/spam/${id}/text`)).status).toBe(404);
  });

  test("waits while its mailbox is paused", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const { raw_file: id } = await box.takes();
    await acme.patch(`/channels/${box.id}`, { state: "paused" });
    const agent = await mia(acme);
    expect((await agent.post(`/inbox/spam/${id}/not-spam`)).body).toEqual({ is_paused: true });
    expect(await statesOf(acme)).toEqual(["stored"]);
    await acme.patch(`/channels/${box.id}`, { state: "active" });
    await expect.poll(() => statesOf(acme)).toEqual(["imported"]);
  });
});

describe("spam goes", () => {
  test("when an agent deletes it, with the exports that have it, and does not come again", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const first = await box.takes({ headers: [VERDICT] });
    const contactId = await contactOf(String(first.conversation_id));
    const { raw_file: id } = await box.takes({ headers: [...SPAM, "Message-ID: <again@spam.example>"] });
    const { id: exportId } = await exported(acme, contactId);
    const agent = await mia(acme);
    expect((await agent.delete(`/inbox/spam/${id}`)).status).toBe(200);
    expect((await agent.delete(`/inbox/spam/${id}`)).status).toBe(404);
    expect((await acme.get(`/exports/${exportId}`)).status).toBe(404);
    await box.takes({ headers: [...SPAM, "Message-ID: <again@spam.example>"] });
    expect((await importsOf(acme))[0]).toMatchObject({ state: "ignored", raw_file: null, sender: null, preview: null });
    expect(await statesOf(acme)).toEqual(["ignored", "imported"]);
    expect(await filesLeft(acme)).toBe(1);
  });

  test("not while its sender is on hold: not by an agent, by age, by old files, or with its channel", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const first = await box.takes({ headers: [VERDICT] });
    const contactId = await contactOf(String(first.conversation_id));
    await acme.post(`/contacts/${contactId}/hold`, { reason: "A case at court" });
    const { raw_file: id } = await box.takes();
    const refused = await (await mia(acme)).delete(`/inbox/spam/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { reason: "spam-sender-held" } });
    expect(JSON.stringify(refused.body)).not.toContain("court");
    clock.advance(31 * DAY_MS);
    await forgetsOld();
    await eraseOldFiles(kit, acme.teamId);
    await acme.delete(`/channels/${box.id}`);
    expect(await statesOf(acme)).toEqual(["imported", "spam"]);
    const agent = await mia(acme);
    expect((await agent.get("/inbox/spam")).body).toMatchObject({ spam: [], total: 0 });
    expect((await agent.post(`/inbox/spam/${id}/not-spam`)).status).toBe(404);
    await acme.delete(`/contacts/${contactId}/hold`);
    expect(await forgetsOld()).toBe(1);
    expect(await statesOf(acme)).toEqual(["ignored", "imported"]);
  });

  test("after 30 days", async () => {
    const [acme, other] = [await kit.team(), await kit.team()];
    const [box, theirs] = [await openBox(acme), await openBox(other)];
    for (const each of [box, theirs]) await each.takes();
    clock.advance(DAY_MS);
    await box.takes({ from: "new@spam.example" });
    clock.advance(29 * DAY_MS);
    await forgetsOld();
    expect([...(await statesOf(acme)), ...(await statesOf(other))]).toEqual(["spam", "spam", "spam"]);
    clock.advance(1);
    expect(await forgetsOld()).toBe(2);
    expect(await forgetsOld()).toBe(0);
    expect(await statesOf(acme)).toEqual(["ignored", "spam"]);
    expect(await filesLeft(acme)).toBe(1);
  });

  test("earlier, with old files", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    await box.takes();
    clock.advance(2 * DAY_MS);
    await box.takes({ from: "new@spam.example" });
    const preview = await acme.get("/privacy/preview?files_after_days=1");
    expect(preview.body.data.attributes.files).toBe(1);
    await eraseOldFiles(kit, acme.teamId);
    expect((await importsOf(acme)).map(({ state, sender, preview }) => [state, sender, preview === null])).toEqual([
      ["ignored", null, true],
      ["spam", "new@spam.example", false],
    ]);
  });

  test("with its channel", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    await box.takes();
    expect((await acme.delete(`/channels/${box.id}`)).status).toBe(200);
    expect(await importsOf(acme)).toMatchObject([{ state: "ignored", raw_file: null, sender: null, preview: null }]);
    expect(await filesLeft(acme)).toBe(0);
  });

  test("with its sender, and after a restore of an older backup it stays gone", async () => {
    const acme = await kit.team();
    const box = await openBox(acme);
    const first = await box.takes({ headers: [VERDICT] });
    await box.takes();
    const others = await box.takes({ from: "other@spam.example" });
    const { body } = await acme.delete(`/contacts/${await contactOf(String(first.conversation_id))}`);
    const erasure = async () => (await acme.get(`/erasures/${body.data.id}`)).body.data.attributes.state;
    await expect.poll(erasure).toBe("done");
    expect((await importsOf(acme)).map(({ state, preview }) => [state, preview === null]).toSorted()).toEqual([
      ["erased", true],
      ["erased", true],
      ["spam", false],
    ]);
    const { key } = others as { key: string };
    await keepErasedMailsOut(storage, [{ kind: "mail", teamId: acme.teamId, accountId: box.id, key }]);
    expect(await statesOf(acme)).toEqual(["erased", "erased", "erased"]);
    expect((await importsOf(acme)).filter(({ preview, raw_file }) => preview !== null || raw_file !== null)).toEqual(
      [],
    );
    expect(await filesLeft(acme)).toBe(0);
  });
});
