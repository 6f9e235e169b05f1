/** Everything about a contact, as a file that opens without us (additions, section 6; docs/decisions/0056-export.md). */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ExportedMessage } from "@frontdesk/core/contract/contact-export";
import { uploadAs, veraWithFiles } from "@frontdesk/testing/file-sender";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { startS3 } from "@frontdesk/testing/s3-server";
import { PNG } from "@frontdesk/testing/sample-files";
import { dump, query } from "@frontdesk/testing/second-app";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { afterAll, describe, expect, test } from "vitest";
import { setCustomData } from "../custom-data/set-custom-data.ts";
import { mailRoom } from "../email/out/mailbox-for-tests.ts";
import { filesFolder } from "../files/drafts.ts";
import { retain } from "./apply-retention.ts";
import type { EraseParts } from "./erase-job.ts";
import { expireExport } from "./expire-export.ts";
import { download, expectWhole, exported, exportOf, json, opened } from "./export-for-tests.ts";

const DAY_MS = 86_400_000;
const bucket = await startS3();
afterAll(() => bucket.remove());
const onDisk = await startTestApp();
const inBucket = await startTestApp(bucket.env);
const bases = new Map([
  [onDisk, await onDisk.app.start()],
  [inBucket, await inBucket.app.start()],
]);
const kit = onDisk;

/** What is left of files that are being made. */
const receiving = ({ dataDir }: TestApp): string[] => readdirSync(join(filesFolder(dataDir), "receiving"));

/** Names as senders gave them. */
const HOSTILE = [
  "../../etc/passwd",
  "CON",
  "con.txt",
  "🦊 fox.png",
  `${"ü".repeat(250)}.pdf`,
  "photo.png",
  "photo.png",
  'a<b>:"|?*.txt',
  "dot.",
];

describe.each([
  ["a folder", onDisk],
  ["a bucket", inBucket],
])("with files in %s, an export", (_where, on) => {
  test("holds all that was said and sent, and nothing of anybody else", async () => {
    const acme = await on.team();
    const base = bases.get(on) ?? "";
    const neighbour = await veraWrites(acme, {
      name: "Nora Neighbour",
      email: "nora@neighbour.test",
      content: "The neighbour's canary",
    });
    const said = "<script>alert(1)</script>\u2028 & more";
    const { contactId, conversationId } = await veraWrites(acme, { email: "vera@visitor.test", content: said });
    const vera = veraWithFiles(base, acme);
    const files = [];
    for (const name of HOSTILE) files.push(await uploadAs(base, acme, name, `content of ${name}`));
    const sent = files.map(({ body }) => ({ url: body.data.attributes.url, name: body.data.attributes.name }));
    await adaReplies(acme, conversationId, { content: "Here they are", attachments: sent });
    await adaReplies(acme, conversationId, {
      content: "And elsewhere",
      attachments: [{ url: "https://files.test/x.pdf" }],
    });
    await adaReplies(acme, conversationId, { content: "A note about Nora", type: "note" });
    await acme.post(`/conversations/${conversationId}/tags`, { name: "difficult" });
    const custom = { contactId, name: "plan", value: "Business", mustExist: false };
    await on.app.perform(acme.actor, setCustomData, custom);
    await adaSets(acme, conversationId, "resolved");
    // Another browser's file.
    await vera.sends("canary.png", PNG);

    const { url, size } = await exported(acme, contactId);
    const zip = await opened(on, acme, url);
    expectWhole(zip);
    expect(zip.names).toHaveLength(HOSTILE.length + 4);
    expect(zip.names.map((name) => name.toLowerCase())).toEqual([
      ...new Set(zip.names.map((name) => name.toLowerCase())),
    ]);
    for (const name of zip.names.filter((each) => each.startsWith("files/"))) {
      expect(name).toMatch(/^files\/\d{4}-[^/\\<>:"|?*]+[^. ]$/);
      expect(Buffer.byteLength(name)).toBeLessThan(180);
    }
    const { contact } = json(zip, "contact.json");
    expect(contact).toMatchObject({ name: "Vera", email: "vera@visitor.test", widget: "Website" });
    expect(contact.custom_data).toMatchObject([{ name: "plan", value: "Business" }]);
    const [conversation, ...others] = json(zip, "conversations.json").conversations;
    expect(others).toEqual([]);
    expect(conversation).not.toHaveProperty("tags");
    expect(conversation.messages).toMatchObject([
      { from: "contact", name: "Vera", content: said, attachments: [] },
      { from: "team", name: "Ada", content: "Here they are" },
      { from: "team", name: "Ada", attachments: [{ file: null, url: "https://files.test/x.pdf" }] },
    ]);
    const [, { attachments }] = conversation.messages;
    for (const [index, { file }] of attachments.entries()) {
      expect(zip.read(file).toString()).toBe(`content of ${HOSTILE[index]}`);
    }
    const page = zip.read("index.html").toString();
    expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(page).not.toMatch(/<script|<img|<link|http-equiv="refresh"/);
    const whole = zip.names.map((name) => zip.read(name).toString()).join("\n");
    for (const foreign of [
      acme.ada.email,
      acme.ada.id,
      neighbour.contactId,
      "Nora",
      "nora@",
      "canary",
      "difficult",
      "fd_file_",
    ]) {
      expect(whole).not.toContain(foreign);
    }
    expect(size).toBeGreaterThan(1_000);
    await expect.poll(() => receiving(on)).toEqual([]);
  });

  test("is gone with the contact at once, from the file storage too", async () => {
    const acme = await on.team();
    const { contactId } = await veraWrites(acme);
    const { id, url } = await exported(acme, contactId);
    const stored = () =>
      on === inBucket ? bucket.objects() : readdirSync(filesFolder(on.dataDir), { recursive: true }).map(String);
    expect(stored()).toContain(`${acme.teamId}/${id}`);
    const { body } = await acme.delete(`/contacts/${contactId}`);
    expect((await acme.get(`/exports/${id}`)).status).toBe(404);
    expect((await download(on, url, { "x-api-key": acme.apiKey })).status).toBe(404);
    const state = async () => (await acme.get(`/erasures/${body.data.id}`)).body.data.attributes.state;
    await expect.poll(state).toBe("done");
    await expect.poll(() => stored().includes(`${acme.teamId}/${id}`)).toBe(false);
    expect(await dump(on.storage)).not.toContain(new URL(url).pathname.split("/")[2]);
  });
});

test("the originals of mails are in an export, byte for byte", async () => {
  const on = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
  await on.app.start();
  const acme = await on.team();
  const { mailbox, reply, isIn, newest } = mailRoom(on);
  const box = await mailbox(acme);
  const conversationId = await box.arrives();
  await reply(acme, conversationId);
  await isIn(acme, conversationId, "sent");
  const sent = await acme.get(`/messages/${(await newest(acme, conversationId)).id}/original`);
  const [row] = await query(on.storage, `SELECT contact_id FROM conversations WHERE id = '${conversationId}'`);
  const zip = await opened(on, acme, (await exported(acme, String(row?.contact_id))).url);
  expectWhole(zip);
  const [{ messages }] = json(zip, "conversations.json").conversations;
  expect(messages).toMatchObject([
    { from: "contact", attachments: [], original: { file: "files/0001-email.eml" } },
    { from: "team", attachments: [], original: { file: "files/0002-email.eml" } },
  ]);
  expect(zip.read("files/0001-email.eml").toString()).toMatch(/^From: Vera <vera@vera.example>\r\n/);
  expect(zip.read("files/0002-email.eml").toString()).toBe(sent.body);
  expect(zip.read("index.html").toString()).toContain('<a href="files/0001-email.eml">Original email</a>');
});

test("notes and tags are in an export only when they are asked for", async () => {
  const acme = await kit.team();
  const { contactId, conversationId } = await veraWrites(acme);
  await adaReplies(acme, conversationId, { content: "She is a friend of the founder", type: "note" });
  await acme.post(`/conversations/${conversationId}/tags`, { name: "vip" });
  const zip = await opened(kit, acme, (await exported(acme, contactId, { include_notes: true })).url);
  expectWhole(zip);
  expect(json(zip, "contact.json").includes_notes).toBe(true);
  expect(json(zip, "conversations.json").conversations[0]).toMatchObject({
    tags: ["vip"],
    messages: [{ type: "message" }, { type: "note", from: "team", name: "Ada" }],
  });
  expect(zip.read("index.html").toString()).toContain("Internal note");
});

test("what the AI has said is marked as the AI's in an export, as data and on the page, with notes and without", async () => {
  const acme = await kit.team();
  const { contactId, conversationId } = await veraWrites(acme);
  const ai = await aiOf(kit.app, acme);
  await ai.says(conversationId, { content: "Five days." });
  const redacted = await ai.says(conversationId, { content: "It is on its way to you, Vera." });
  expect((await acme.post(`/messages/${redacted}/redact`)).status).toBe(200);
  await adaReplies(acme, conversationId, { content: "I'm a person" });
  await query(kit.storage, `UPDATE contacts SET language = 'de' WHERE id = '${contactId}'`);
  for (const include_notes of [false, true]) {
    const zip = await opened(kit, acme, (await exported(acme, contactId, { include_notes })).url);
    expectWhole(zip);
    const [{ messages }] = json(zip, "conversations.json").conversations;
    const said = messages.map(({ name, content, by_ai }: ExportedMessage) => ({ name, content, by_ai }));
    expect(said).toEqual([
      { name: "Vera", content: expect.any(String), by_ai: undefined },
      { name: "Robin", content: "Five days.", by_ai: true },
      { name: "Robin", content: "", by_ai: true },
      { name: "Ada", content: "I'm a person", by_ai: undefined },
    ]);
    const page = zip.read("index.html").toString();
    expect(page.match(/<b dir="auto">[^<]+<\/b>(?: · KI)?/g)).toEqual([
      '<b dir="auto">Vera</b>',
      ...['<b dir="auto">Robin</b> · KI', '<b dir="auto">Robin</b> · KI'],
      '<b dir="auto">Ada</b>',
    ]);
  }
});

test("a contact who never wrote is exported, too", async () => {
  const acme = await kit.team();
  const { body } = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, name: "Vera" });
  const zip = await opened(kit, acme, (await exported(acme, body.data.id)).url);
  expectWhole(zip);
  expect(json(zip, "conversations.json").conversations).toEqual([]);
});

test("the page of an export is in the contact's language", async () => {
  const acme = await kit.team();
  const { contactId } = await veraWrites(acme);
  await query(kit.storage, `UPDATE contacts SET language = 'ar-EG', timezone = 'No/Where' WHERE id = '${contactId}'`);
  const zip = await opened(kit, acme, (await exported(acme, contactId)).url);
  expect(zip.read("index.html").toString()).toContain('<html lang="ar" dir="rtl">');
});

test("two exports of the same are equal but for their time", async () => {
  const acme = await kit.team();
  const { contactId } = await veraWrites(acme);
  const one = await exported(acme, contactId);
  const other = await exported(acme, contactId);
  expect(other.id).not.toBe(one.id);
  const contents = await Promise.all(
    [one, other].map(async ({ url }) => (await download(kit, url, { "x-api-key": acme.apiKey })).content),
  );
  expect(contents[0]?.equals(contents[1] ?? Buffer.alloc(0))).toBe(true);
});

describe("the address of an export", () => {
  test("works for a key with the scope and for an admin who is signed in, and for nobody else", async () => {
    const acme = await kit.team();
    const { contactId } = await veraWrites(acme);
    const { url } = await exported(acme, contactId);
    const other = await kit.team();
    const reader = await kit.team({ scopes: ["contacts:read"] });
    const [abe, mia] = [await signedIn(kit, acme, "CHAT_AGENT_ADMIN"), await signedIn(kit, acme, "CHAT_AGENT_MEMBER")];
    const statusFor = async (headers: Record<string, string>) => (await download(kit, url, headers)).status;
    expect(await statusFor({ "x-api-key": acme.apiKey })).toBe(200);
    expect(await statusFor({ cookie: abe.cookie, ...OWN_PAGE })).toBe(200);
    expect(await statusFor({ cookie: mia.cookie, ...OWN_PAGE })).toBe(403);
    expect(await statusFor({})).toBe(401);
    expect(await statusFor({ "x-api-key": other.apiKey })).toBe(404);
    expect(await statusFor({ "x-api-key": reader.apiKey })).toBe(404);
    // As the address of an attachment it is unknown.
    const asFile = url.replace("/exports/", "/files/");
    expect((await download(kit, asFile, { "x-api-key": acme.apiKey })).status).toBe(404);
  });

  test("is answered as an attachment that no cache keeps", async () => {
    const acme = await kit.team();
    const { contactId } = await veraWrites(acme);
    const { url, size } = await exported(acme, contactId);
    const { headers } = await download(kit, url, { "x-api-key": acme.apiKey });
    expect(headers).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": expect.stringMatching(/^attachment; filename="contact-export-2026-11-\d\d\.zip"/),
      "content-length": String(size),
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
  });

  test("works for 7 days, and then the export is deleted", async () => {
    const on = await startTestApp();
    await on.app.start();
    const acme = await on.team();
    const { contactId } = await veraWrites(acme);
    const { id, url } = await exported(acme, contactId);
    const key = { "x-api-key": acme.apiKey };
    on.clock.advance(7 * DAY_MS - 1);
    expect((await download(on, url, key)).status).toBe(200);
    on.clock.advance(1);
    expect((await download(on, url, key)).status).toBe(404);
    const armed = await query(on.storage, `SELECT due_at FROM timers WHERE subject_id = '${id}'`);
    expect(Number(armed[0]?.due_at)).toBe(on.clock.now());
    await on.app.perform(acme.actor, expireExport, { subjectId: id, armedFor: on.clock.now(), data: null });
    expect((await acme.get(`/exports/${id}`)).status).toBe(404);
    expect(await query(on.storage, `SELECT state FROM files WHERE id = '${id}'`)).toEqual([{ state: "removing" }]);
  });
});

test("an export that runs while its contact is erased stops, and leaves nothing", async () => {
  const acme = await inBucket.team();
  const { contactId } = await veraWrites(acme);
  bucket.pause();
  const { body } = await acme.post(`/contacts/${contactId}/export`);
  const { id } = body.data;
  const jobState = async () =>
    (
      await query(
        inBucket.storage,
        `SELECT state FROM jobs WHERE team_id = '${acme.teamId}' AND kind = 'export-contact'`,
      )
    )[0]?.state;
  await expect.poll(jobState).toBe("running");
  expect((await acme.delete(`/contacts/${contactId}`)).status).toBe(202);
  bucket.resume();
  await expect.poll(jobState).toBe("done");
  expect((await acme.get(`/exports/${id}`)).status).toBe(404);
  expect(bucket.objects()).not.toContain(`${acme.teamId}/${id}`);
  expect(receiving(inBucket)).toEqual([]);
});

test("redacting a message, and erasing a conversation, delete the exports that hold it, and no other", async () => {
  const acme = await kit.team();
  const { contactId, messageId, conversationId } = await veraWrites(acme);
  const nora = await exported(acme, (await veraWrites(acme, { name: "Nora" })).contactId);
  const { id } = await exported(acme, contactId);
  expect((await acme.post(`/messages/${messageId}/redact`)).status).toBe(200);
  expect((await acme.get(`/exports/${id}`)).status).toBe(404);
  const later = await exported(acme, contactId);
  const zip = await opened(kit, acme, later.url);
  expect(json(zip, "conversations.json").conversations[0].messages).toMatchObject([{ content: "" }]);
  expect((await acme.delete(`/conversations/${conversationId}`)).status).toBe(202);
  expect((await acme.get(`/exports/${later.id}`)).status).toBe(404);
  expect((await exportOf(acme, nora.id)).state).toBe("done");
});

test("retention deletes the exports that hold what it erases, whatever it erases", async () => {
  const on = await startTestApp();
  await on.app.start();
  const acme = await on.team();
  const parts: EraseParts = {
    ...{ storage: on.storage, vault: on.runtime.vault, perform: on.app.perform },
    record: async () => {},
    removeFiles: async () => {},
  };
  const days = (some: number) => on.clock.advance(some * DAY_MS);
  const page_visited = [{ page: "https://acme.test/", date: new Date(on.clock.now()).toISOString() }];
  const details = { widgetId: acme.widgetId, name: "Vera", ip: "10.1.2.3", page_visited };
  const { body } = await acme.post("/contacts/initialize", { ...details, message: { content: "Hello" } });
  const contactId: string = body.data.id;
  const [row] = await query(on.storage, `SELECT id FROM conversations WHERE contact_id = '${contactId}'`);
  const conversationId = String(row?.id);
  await adaReplies(acme, conversationId, { attachments: [{ url: "https://files.test/x.pdf" }] });
  await adaSets(acme, conversationId, "resolved");
  const untouched = await exported(acme, contactId);
  const rules = [
    { page_visits_after_days: 20 },
    { ip_after_days: 20 },
    { files_after_days: 20 },
    { erase_after_days: 20, erase_what: "texts" },
    { erase_after_days: 20, erase_what: "conversations" },
  ];
  await retain(parts, acme);
  expect((await exportOf(acme, untouched.id)).state).toBe("done");
  days(20);
  for (const rule of rules) {
    expect((await acme.patch("/privacy", rule)).status).toBe(200);
    // Only the run below: the app's own daily one would come while the export is made.
    await query(on.storage, "DELETE FROM timers WHERE kind = 'apply-retention'");
    days(7);
    const { id } = await exported(acme, contactId);
    await retain(parts, acme);
    expect({ rule, status: (await acme.get(`/exports/${id}`)).status }).toEqual({ rule, status: 404 });
  }
});

test("an export that fails says so, and can be asked for again", async () => {
  const acme = await inBucket.team();
  const { contactId } = await veraWrites(acme);
  await bucket.kill();
  const { body } = await acme.post(`/contacts/${contactId}/export`);
  await expect.poll(async () => (await exportOf(acme, body.data.id)).state).toBe("failed");
  expect(await exportOf(acme, body.data.id)).toMatchObject({ url: null, size: null });
  await bucket.restart();
  await exported(acme, contactId);
});

test("members may not export, and the audit log says who did", async () => {
  const acme = await kit.team();
  const { contactId } = await veraWrites(acme);
  const [abe, mia] = [await signedIn(kit, acme, "CHAT_AGENT_ADMIN"), await signedIn(kit, acme, "CHAT_AGENT_MEMBER")];
  const asked = { include_notes: true };
  expect((await mia.post(`/v1/contacts/${contactId}/export`, asked)).status).toBe(403);
  expect((await mia.get(`/contacts/${contactId}/exports`)).status).toBe(403);
  const { status, body } = await abe.post(`/v1/contacts/${contactId}/export`, asked);
  expect(status).toBe(202);
  const listed = await abe.get(`/contacts/${contactId}/exports`);
  expect(listed.body.exports).toMatchObject([{ id: body.data.id, attributes: { include_notes: true } }]);
  const [line] = await query(
    kit.storage,
    `SELECT * FROM audit_log WHERE action = 'export-contact' AND team_id = '${acme.teamId}'`,
  );
  expect(line).toMatchObject({ actor_kind: "agent", actor_id: abe.actor.agentId });
  expect(JSON.parse(String(line?.what))).toEqual({ visitor: { id: contactId }, include_notes: true });
});

test("an unknown contact or export is 404, and another team's as well", async () => {
  const [acme, other] = [await kit.team(), await kit.team()];
  const { contactId } = await veraWrites(acme);
  const { id } = await exported(acme, contactId);
  expect((await other.post(`/contacts/${contactId}/export`)).status).toBe(404);
  expect((await other.get(`/exports/${id}`)).status).toBe(404);
  expect((await acme.get("/exports/nothing")).status).toBe(404);
  expect((await acme.post(`/contacts/${contactId}/export`, { include_notes: "yes" })).body.errors).toHaveProperty(
    "include_notes",
  );
});
