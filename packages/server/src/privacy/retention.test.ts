/** How long a team keeps what it has stored (additions, section 6; docs/decisions/0055-retention.md). */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { appOn, dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { notePresence } from "../contacts/note-presence.ts";
import { diskFiles } from "../files/disk-files.ts";
import { createDrafts, filesFolder } from "../files/drafts.ts";
import { createRemoval } from "../files/remove-unused-files.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { hideDue, retain } from "./apply-retention.ts";
import type { EraseParts } from "./erase-job.ts";

const { app, team, clock, storage, runtime, dataDir } = await startTestApp();
const parts: EraseParts = {
  ...{ storage, vault: runtime.vault, perform: app.perform },
  record: () => Promise.resolve(),
  removeFiles: () => Promise.resolve(),
};
const DAY = 24 * 3_600_000;
// The process whose timers fire and whose jobs run.
const timeouts = heldTimeouts();
await (await appOn({ storage, runtime, timeouts })).start();

let canaries = 0;
/** A word that is nowhere else. */
function canary(): string {
  canaries += 1;
  return `canary${canaries}x${process.pid}`;
}

const days = (some: number) => clock.advance(some * DAY);
const iso = (ms: number) => new Date(ms).toISOString();

/** Moves the clock, and lets the process do what is due, until `reached` holds. */
async function laterOn(some: number, reached: () => Promise<boolean>): Promise<void> {
  days(some);
  await expect
    .poll(
      async () => {
        timeouts.advance(5_000);
        return reached();
      },
      { interval: 20 },
    )
    .toBe(true);
}

const patch = (acme: TestTeam, body: object) => acme.patch("/privacy", body);
/** Sets a rule that has been in force since its notice ended. */
async function ruled(acme: TestTeam, body: object): Promise<void> {
  expect((await patch(acme, body)).status).toBe(200);
  days(7);
}
/** A daily run. */
async function run(acme: TestTeam): Promise<void> {
  await retain(parts, acme);
}
const preview = async (acme: TestTeam, asked = "") =>
  (await acme.get(`/privacy/preview${asked}`)).body.data.attributes as Record<string, number>;
const isThere = async (acme: TestTeam, path: string) => (await acme.get(path)).status === 200;
const messages = (id: string) => `/conversations/${id}/messages`;

async function resolved(acme: TestTeam, body: Record<string, unknown> = {}) {
  const written = await veraWrites(acme, body);
  await adaSets(acme, written.conversationId, "resolved");
  return written;
}

describe("the settings", () => {
  test("keep everything until they are changed", async () => {
    const acme = await team();
    expect((await acme.get("/privacy")).body.data).toEqual({
      type: "privacy",
      id: acme.teamId,
      attributes: {
        erase_after_days: null,
        erase_what: "conversations",
        files_after_days: null,
        page_visits_after_days: null,
        ip_after_days: null,
        widgets: [],
        channels: [],
        starts_at: null,
        changed_at: null,
      },
    });
    expect((await patch(await team({ scopes: ["contacts:write"] }), { ip_after_days: 1 })).status).toBe(403);
  });

  test("that erase more start after 7 days, those that erase less at once", async () => {
    const acme = await team();
    const first = clock.now();
    const after = async (body: object) => (await patch(acme, body)).body.data.attributes;
    expect(await after({ erase_after_days: 30 })).toMatchObject({ starts_at: iso(first + 7 * DAY) });
    days(1);
    // The same again, and less of it, leave the notice as it is.
    expect(await after({ erase_after_days: 30 })).toMatchObject({ starts_at: iso(first + 7 * DAY) });
    expect(await after({ erase_after_days: 40 })).toMatchObject({ starts_at: iso(first + 7 * DAY) });
    // More begins another one.
    expect(await after({ files_after_days: 10 })).toMatchObject({ starts_at: iso(first + 8 * DAY) });
    days(7);
    expect((await acme.get("/privacy")).body.data.attributes).toMatchObject({ starts_at: null, erase_after_days: 40 });
    expect(await after({ erase_after_days: 365 })).toMatchObject({ starts_at: null });
    expect(await after({ erase_after_days: null, files_after_days: null })).toMatchObject({ starts_at: null });
    expect(await query(storage, `SELECT kind FROM timers WHERE team_id = '${acme.teamId}'`)).toEqual([]);
  });

  test("are refused with the name of the field", async () => {
    const acme = await team();
    const stranger = await team();
    const errors = async (body: object) => (await patch(acme, body)).body.errors;
    expect(Object.keys(await errors({ erase_after_days: 0 }))).toEqual(["erase_after_days"]);
    expect(Object.keys(await errors({ files_after_days: 3_651 }))).toEqual(["files_after_days"]);
    const widgets = [{ widget_id: acme.widgetId }, { widget_id: acme.widgetId }, { widget_id: stranger.widgetId }];
    expect(await errors({ widgets })).toEqual({
      "widgets.1.widget_id": ["This field is given twice."],
      "widgets.2.widget_id": ["Your team has no such widget."],
    });
    expect(await errors({ channels: [{ channel_id: acme.widgetId }] })).toEqual({
      "channels.0.channel_id": ["Your team has no such channel."],
    });
    expect((await patch(acme, {})).status).toBe(422);
  });

  test("are audited with what changed", async () => {
    const acme = await team();
    await patch(acme, { ip_after_days: 14 });
    await patch(acme, { ip_after_days: 14 });
    const lines = await query(
      storage,
      `SELECT what FROM audit_log WHERE team_id = '${acme.teamId}' AND action = 'update-retention'`,
    );
    expect(lines.map(({ what }) => JSON.parse(String(what)))).toEqual([
      { changes: { ip_after_days: 14 }, starts_at: iso(clock.now() + 7 * DAY) },
    ]);
  });
});

describe("a conversation that was resolved and silent for as long as is set", () => {
  test("is erased once a day, after the notice, with a contact who has no other and was not active since", async () => {
    const acme = await team();
    const word = canary();
    const old = await resolved(acme, { content: word, email: `${word}@acme.test` });
    const neighbour = await team();
    const theirs = await resolved(neighbour);
    days(60);
    const young = await resolved(acme, { email: "new@acme.test" });
    expect(await preview(acme, "?erase_after_days=30")).toMatchObject({ conversations: 1, contacts: 1 });
    await patch(acme, { erase_after_days: 30 });
    await run(acme);
    expect(await isThere(acme, messages(old.conversationId))).toBe(true);

    await laterOn(7, async () => !(await isThere(acme, messages(old.conversationId))));
    await laterOn(0, async () => (await acme.get("/contacts")).body.meta.pagination.total === 1);
    await expect.poll(() => dump(storage)).not.toContain(word);
    expect(await isThere(acme, messages(young.conversationId))).toBe(true);
    expect(await isThere(neighbour, messages(theirs.conversationId))).toBe(true);
    const names = async () => (await acme.events()).map(({ name }) => name);
    await expect.poll(async () => (await names()).filter((name) => name === "contact.erased")).toHaveLength(1);
    // And on the following days.
    await laterOn(30, async () => !(await isThere(acme, messages(young.conversationId))));
    expect(await isThere(neighbour, messages(theirs.conversationId))).toBe(true);
  });

  test("stays while it is open, or someone writes in it", async () => {
    const acme = await team();
    const open = await veraWrites(acme, { email: "open@acme.test" });
    const noted = await resolved(acme, { email: "noted@acme.test" });
    await ruled(acme, { erase_after_days: 30 });
    days(20);
    await adaReplies(acme, noted.conversationId, { content: "For the record", type: "note" });
    days(20);
    await run(acme);
    expect(await isThere(acme, messages(open.conversationId))).toBe(true);
    expect(await isThere(acme, messages(noted.conversationId))).toBe(true);
    days(11);
    await run(acme);
    expect(await isThere(acme, messages(open.conversationId))).toBe(true);
    expect(await isThere(acme, messages(noted.conversationId))).toBe(false);
  });

  test("stays while its contact is on hold, and goes when the hold ends", async () => {
    const acme = await team();
    const { conversationId, contactId } = await resolved(acme);
    await ruled(acme, { erase_after_days: 1, files_after_days: 1, page_visits_after_days: 1, ip_after_days: 1 });
    await acme.post(`/contacts/${contactId}/hold`, { reason: "Court case", until: iso(clock.now() + 50 * DAY) });
    days(40);
    await run(acme);
    expect(await preview(acme)).toMatchObject({ conversations: 0, contacts: 0 });
    expect(await isThere(acme, messages(conversationId))).toBe(true);
    days(11);
    expect(await preview(acme)).toMatchObject({ conversations: 1, contacts: 1 });
    await run(acme);
    expect(await isThere(acme, messages(conversationId))).toBe(false);
    expect(await isThere(acme, `/contacts/${contactId}`)).toBe(false);
  });

  test("has the rules of its widget where that has its own", async () => {
    const acme = await team();
    const other = await app.perform(acme.actor, createWidget, { name: "Blog" });
    const mine = await resolved(acme, { email: "a@acme.test" });
    const others = await resolved(acme, { widget_id: other.id, email: "b@acme.test" });
    await ruled(acme, { erase_after_days: 20, widgets: [{ widget_id: other.id, erase_after_days: null }] });
    days(20);
    await run(acme);
    expect(await isThere(acme, messages(mine.conversationId))).toBe(false);
    expect(await isThere(acme, messages(others.conversationId))).toBe(true);
  });

  test("loses only its texts and files where that is chosen, and those of later messages later", async () => {
    const acme = await team();
    const words = [canary(), canary(), canary()] as const;
    const attachments = [{ url: `https://files.acme.test/${words[2]}` }];
    const { conversationId, contactId } = await resolved(acme, { content: words[0] });
    await adaReplies(acme, conversationId, { content: words[1], type: "note", attachments });
    const before = await dump(storage);
    expect(words.filter((word) => before.includes(word))).toEqual(words);
    await ruled(acme, { erase_after_days: 10, erase_what: "texts" });
    days(10);
    expect(await preview(acme)).toMatchObject({ conversations: 1, contacts: 0 });
    await run(acme);
    expect(await preview(acme)).toMatchObject({ conversations: 0 });
    // Once for the conversation, for those who show it.
    const told = `SELECT data FROM events WHERE team_id = '${acme.teamId}' AND name = 'conversation.texts-erased'`;
    const data = { visitor: { id: contactId }, conversation: { id: conversationId }, up_to: 2 };
    expect((await query(storage, told)).map((event) => JSON.parse(String(event.data)))).toEqual([data]);
    const left = await dump(storage);
    expect(words.filter((word) => left.includes(word))).toEqual([]);
    expect((await acme.get(messages(conversationId))).body.data).toHaveLength(2);
    const again = canary();
    await veraWrites(acme, { contact_id: contactId, content: again });
    await adaSets(acme, conversationId, "resolved");
    days(5);
    await run(acme);
    expect(await dump(storage)).toContain(again);
    days(6);
    await run(acme);
    expect(await dump(storage)).not.toContain(again);
  });
});

test("erasing a conversation leaves the other conversations of its contact, and their events", async () => {
  const acme = await team();
  const other = await app.perform(acme.actor, createWidget, { name: "Blog" });
  const old = await resolved(acme, { email: "vera@acme.test" });
  const word = canary();
  await query(storage, `UPDATE conversations SET account_id = '${other.id}' WHERE id = '${old.conversationId}'`);
  const young = await veraWrites(acme, { contact_id: old.contactId, content: word });
  expect(young.conversationId).not.toBe(old.conversationId);
  await ruled(acme, { erase_after_days: 5 });
  await run(acme);
  expect(await isThere(acme, messages(old.conversationId))).toBe(false);
  expect(await isThere(acme, `/contacts/${old.contactId}`)).toBe(true);
  const events = await acme.events();
  expect(events.filter(({ conversation_id }) => conversation_id === old.conversationId)).toEqual([]);
  expect(events.filter(({ data }) => JSON.stringify(data).includes(word))).not.toEqual([]);
  expect(events.filter(({ name }) => name === "contact.erased")).toEqual([]);
});

test("files go alone, and leave the texts of their messages", async () => {
  const acme = await team();
  const [file, text, young] = [canary(), canary(), canary()];
  const urlOf = (name: string) => ({ url: `https://files.acme.test/${name}` });
  const { conversationId, contactId } = await veraWrites(acme);
  await adaReplies(acme, conversationId, { content: text, attachments: [urlOf(file)] });
  await ruled(acme, { files_after_days: 10 });
  days(4);
  await adaReplies(acme, conversationId, { content: "Here", attachments: [urlOf(young)] });
  expect(await preview(acme)).toMatchObject({ conversations: 0, files: 1 });
  await run(acme);
  const left = await dump(storage);
  expect([file, text, young].map((word) => left.includes(word))).toEqual([false, true, true]);
  // For those who show the conversation.
  const [, emptied] = (await acme.get(messages(conversationId))).body.data;
  const told = (await acme.events()).filter(({ name }) => name === "conversation.files-erased");
  expect(told.map(({ data }) => data)).toEqual([
    { visitor: { id: contactId }, conversation: { id: conversationId }, message_ids: [emptied.id] },
  ]);
  expect(await preview(acme)).toMatchObject({ files: 0 });
});

test("an uploaded file goes from the disk, and its address is unknown", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const upload = async (name: string) =>
    (await acme.post(`/files?name=${name}`, Buffer.from("Hello"), { "content-type": "text/plain" })).body.data
      .attributes;
  const [old, young] = [await upload("old.txt"), await upload("young.txt")];
  await adaReplies(acme, conversationId, { attachments: [{ url: old.url }] });
  await ruled(acme, { files_after_days: 10 });
  days(4);
  await adaReplies(acme, conversationId, { attachments: [{ url: young.url }] });
  await run(acme);
  await createRemoval({ storage, fileStorage: diskFiles(dataDir), drafts: createDrafts(dataDir) })(
    clock.now(),
    () => true,
  );
  expect(readdirSync(join(filesFolder(dataDir), acme.teamId))).toHaveLength(1);
  const status = async (url: string) => (await app.http.inject(new URL(url).pathname)).statusCode;
  expect([await status(old.url), await status(young.url)]).toEqual([404, 200]);
});

test("page visits go alone", async () => {
  const acme = await team();
  const contactId = await veraArrives(acme);
  const opens = (page: string) =>
    app.perform(acme.actor, notePresence, { contacts: [], agents: [], pages: [{ contactId, page }] });
  await opens("https://acme.test/old");
  await ruled(acme, { page_visits_after_days: 10 });
  days(4);
  await opens("https://acme.test/new");
  expect(await preview(acme)).toMatchObject({ page_visits: 1 });
  await run(acme);
  const visits = await query(storage, `SELECT page FROM page_visits WHERE contact_id = '${contactId}'`);
  expect(visits).toEqual([{ page: "https://acme.test/new" }]);
});

test("IP addresses go from contacts, from sessions, and from the audit log, whose lines stay", async () => {
  const acme = await team();
  const contactId = await veraArrives(acme, { ip: "203.0.113.7" });
  const lines = `SELECT count(*) AS lines FROM audit_log WHERE team_id = '${acme.teamId}'`;
  const withIp = `${lines} AND ip IS NOT NULL`;
  await patch(acme, { ip_after_days: 10 });
  const [before] = await query(storage, lines);
  expect(Number((await query(storage, withIp))[0]?.lines)).toBe(1);
  days(11);
  expect(await preview(acme)).toMatchObject({ ip_addresses: 2 });
  await run(acme);
  expect(await query(storage, lines)).toEqual([before]);
  expect(Number((await query(storage, withIp))[0]?.lines)).toBe(0);
  expect((await acme.get(`/contacts/${contactId}`)).body.data.attributes.ip).toBeNull();
});

test("contacts who never wrote go when they have not been active for as long", async () => {
  const acme = await team();
  const gone = await veraArrives(acme);
  await ruled(acme, { erase_after_days: 20 });
  const stays = await veraArrives(acme);
  days(14);
  expect(await preview(acme)).toMatchObject({ conversations: 0, contacts: 1 });
  await run(acme);
  expect(await isThere(acme, `/contacts/${gone}`)).toBe(false);
  expect(await isThere(acme, `/contacts/${stays}`)).toBe(true);
});

test("a run that was cut off is gone on with by the next, as the same erasure", async () => {
  const acme = await team();
  for (let one = 0; one < 3; one += 1) await resolved(acme, { email: `vera${one}@acme.test` });
  await ruled(acme, { erase_after_days: 5 });
  await app.perform(acme.actor, hideDue, {});
  const erasures = () => query(storage, `SELECT id, state FROM erasures WHERE team_id = '${acme.teamId}'`);
  const [{ id } = {}] = await erasures();
  expect(await erasures()).toEqual([{ id, state: "running" }]);
  days(1);
  await run(acme);
  expect(await erasures()).toEqual([{ id, state: "done" }]);
  const { attributes } = (await acme.get(`/erasures/${id}`)).body.data;
  expect(attributes).toMatchObject({ contact_id: null, erased: { contacts: 3, conversations: 3, messages: 3 } });
  await run(acme);
  expect(await erasures()).toHaveLength(1);
});
