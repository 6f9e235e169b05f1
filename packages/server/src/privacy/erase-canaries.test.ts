/**
 * Words that were left at every door are nowhere when their people are erased (additions, section 6; docs/decisions/0053-erasing.md).
 * `where-erased.ts` has the list of what happens where.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp, everyRow, restoreInto } from "@frontdesk/testing/backups";
import { plantCanaries, plantNeighbour, vouchingSecret } from "@frontdesk/testing/canaries";
import { deep } from "@frontdesk/testing/depth";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { listen } from "@frontdesk/testing/live-client";
import { TO_MAILBOXES } from "@frontdesk/testing/milo-mails";
import { startS3 } from "@frontdesk/testing/s3-server";
import { appOn, dump, query } from "@frontdesk/testing/second-app";
import { startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import { engine, openTestStorage, type TestTeam } from "@frontdesk/testing/test-kit";
import { connect } from "@frontdesk/testing/tool-caller";
import { afterAll, describe, expect, test } from "vitest";
import { filesFolder } from "../files/drafts.ts";
import { createLogger } from "../logger.ts";

const log: string[] = [];
const logger = createLogger({ level: "debug", destination: { write: (line) => void log.push(line) } });

const bucket = await startS3();
afterAll(() => bucket.remove());

const places = [
  ["on the disk", {}],
  ["in a bucket", bucket.env],
] as const;
/** The bucket knows no engine. */
const placesHere = places.filter(([where]) => deep || engine === "sqlite" || where === "on the disk");

describe.each(placesHere)("erased people whose files are %s", async (_where, env) => {
  const kit = await startAppWithReceivers({ ...TO_MAILBOXES, ...env }, undefined, logger);
  const base = await kit.app.start();
  const acme = await kit.team();
  const sams = await kit.team();

  test("are nowhere any more, nobody else has changed, and nothing is counted that is gone", async () => {
    const neighbour = await plantNeighbour(kit, acme);
    const secret = await vouchingSecret(acme);
    const others = await plantCanaries(kit, base, sams, await vouchingSecret(sams));
    const there = await kit.receiver();
    there.answers(({ request, response }) => {
      const said = request.body.toString().match(/canary\w+/g) ?? [];
      response.writeHead(200, { "x-echo": said.join(" ") }).end(request.body);
    });
    const hook = await subscribe(acme, there.url(), { events: ["message.received", "contact.updated"] });
    const planted = await plantCanaries(kit, base, acme, secret);
    const { words } = planted;
    expect(words.length).toBeGreaterThan(40);
    const exports = await Promise.all(Object.values(planted.contacts).map((contactId) => exported(acme, contactId)));
    await expect.poll(async () => new Set(await hook.states())).toEqual(new Set(["delivered"]));
    await nothingIsDue();
    const before = await dump(kit.storage);
    // Sealed, hashed or not stored at all.
    const stored = words.filter((word) => before.includes(word));
    expect(stored.length).toBeGreaterThan(33);
    const rowsBefore = await rowsOfOthers(sams.teamId, neighbour);
    const replayed = (await hook.deliveries()).at(-1)?.id;

    const beside = await appOn({ storage: { ...kit.storage, close: async () => {} }, runtime: kit.runtime, env });
    const stream = await listen(await beside.start(), { token: planted.veraToken, widget_id: acme.widgetId });
    await stream.heard("ready");
    for (const contactId of Object.values(planted.contacts)) await erased(acme, contactId);

    await expect.poll(() => stream.closed()?.code).toBe(4001);
    await beside.close();
    const after = await dump(kit.storage);
    expect(words.filter((word) => after.includes(word))).toEqual([]);
    expect(
      Object.values(planted.contacts).filter((id) => rowsNaming(after, id) !== "audit_log erasures events"),
    ).toEqual([]);
    expect(others.words.filter((word) => before.includes(word) && !after.includes(word))).toEqual([]);
    expect(await rowsOfOthers(sams.teamId, neighbour)).toEqual(rowsBefore);
    expect(await found(everyAnswer(acme, words), words)).toEqual([]);
    expect(await acme.post(`${hook.path}/deliveries/${replayed}/replay`)).toMatchObject({ status: 409 });
    expect((await acme.post(`${hook.path}/replay`, { since: "2026-11-20T00:00:00Z" })).body.replayed).toBe(0);
    expect(there.received.filter(({ body }) => body.includes('"data":{}'))).toEqual([]);
    for (const id of exports) expect((await acme.get(`/exports/${id}`)).status).toBe(404);
    await expectNoFiles([...planted.fileIds, ...exports], others.fileIds, words);
    expect(log.length).toBeGreaterThan(10);
    expect(words.filter((word) => log.some((line) => line.includes(word)))).toEqual([]);
    await expectRecount(acme);
    expect(await wordsOfBackup(words)).toEqual([]);
  });

  test("are nowhere any more when their widget is removed", async () => {
    const bens = await kit.team();
    const { words, fileIds } = await plantCanaries(kit, base, bens, await vouchingSecret(bens));
    const before = await dump(kit.storage);
    expect(words.filter((word) => before.includes(word)).length).toBeGreaterThan(33);
    // A widget with the account of another channel stays.
    await query(
      kit.storage,
      `UPDATE channel_accounts SET deleted_at = 1 WHERE team_id = '${bens.teamId}' AND channel <> 'website'`,
    );
    const { status, body } = await bens.delete(`/widgets/${bens.widgetId}`, { conversations: "erase" });
    expect(status).toBe(202);
    await expect.poll(() => stateOf(bens, body.data.id)).toBe("done");
    const after = await dump(kit.storage);
    expect(words.filter((word) => after.includes(word))).toEqual([]);
    expect(await found(everyAnswer(bens, words), words)).toEqual([]);
    await expectNoFiles(fileIds, [], words);
    await expectRecount(bens);
    expect(await wordsOfBackup(words)).toEqual([]);
  });

  /** Work in the background has ended, so that it changes no row of the others later on. */
  async function nothingIsDue(): Promise<void> {
    const now = kit.clock.now();
    const due = `SELECT kind FROM jobs WHERE state IN ('waiting', 'running') AND run_at <= ${now}
      UNION ALL SELECT kind FROM timers WHERE failed_at IS NULL AND due_at <= ${now}
      UNION ALL SELECT state FROM outbox_items WHERE state IN ('waiting', 'sending') AND run_at <= ${now}
      UNION ALL SELECT 'mailbox' FROM mail_folders WHERE is_due = 1`;
    await expect.poll(() => query(kit.storage, due)).toEqual([]);
  }

  /** The rows of the other team, and those of the team that name the neighbour. */
  async function rowsOfOthers(
    teamId: string,
    { contactId, conversationId }: { contactId: string; conversationId: string },
  ) {
    const rows = Object.entries(await kit.storage.read(everyRow)).flatMap(([table, of]) =>
      of
        .filter((row) => [teamId, contactId, conversationId].some((id) => row.includes(id)))
        .map((row) => `${table} ${row}`),
    );
    // Written all the time: who is sending, and when someone was last seen.
    return rows.filter((row) => !/^(outbox_queues|api_keys|agents|sessions) /.test(row));
  }

  /** What the surfaces say of the team: lists, searches, tools, the log as a live stream replays it, metrics. */
  async function* everyAnswer(team: TestTeam, words: readonly string[]): AsyncGenerator<string> {
    const robin = await connect(kit.app, team);
    const inbox = adasInbox(kit.app, team);
    const lists = ["/contacts?limit=100", "/conversations/all?limit=100", "/custom-data-fields", "/tags"];
    for (const path of lists) yield JSON.stringify((await team.get(path)).body);
    for (const word of words.slice(0, 12)) {
      const contacts = (await team.get(`/contacts?search=${word}`)).body;
      const { body } = await inbox.ask("GET", `/search?q=${word}`);
      for (const answer of [contacts, body]) yield JSON.stringify(answer).replaceAll(word, "the search itself");
    }
    yield JSON.stringify(await inbox.get("/conversations?view=all"));
    yield JSON.stringify(await inbox.get("/drafts"));
    yield JSON.stringify(await robin.result("list-conversations", { status: "all", page: 1, per_page: 25 }));
    const live = await listen(base, { token: team.apiKey, since: 0, epoch: await epochOf(team) });
    await live.heard("ready");
    yield JSON.stringify(live.frames);
    live.leave();
    const metrics = await kit.app.http.inject({ url: "/metrics" });
    expect(metrics.statusCode).toBe(200);
    yield metrics.payload;
  }

  async function epochOf(team: TestTeam): Promise<string> {
    const first = await listen(base, { token: team.apiKey });
    const { epoch } = await first.heard("ready");
    first.leave();
    return epoch;
  }

  async function expectNoFiles(ids: string[], othersIds: string[], words: string[]): Promise<void> {
    const names =
      env === bucket.env ? bucket.objects() : readdirSync(filesFolder(kit.dataDir), { recursive: true }).map(String);
    expect(ids.length).toBeGreaterThan(1);
    expect(ids.filter((id) => names.some((name) => name.includes(id)))).toEqual([]);
    expect(othersIds.filter((id) => !names.some((name) => name.includes(id)))).toEqual([]);
    for (const name of readdirSync(kit.dataDir, { recursive: true, withFileTypes: true })) {
      if (!name.isFile() || name.name.startsWith("frontdesk.db")) continue;
      const bytes = readFileSync(join(name.parentPath, name.name));
      expect(words.filter((word) => bytes.includes(word))).toEqual([]);
    }
  }

  async function expectRecount({ teamId }: TestTeam): Promise<void> {
    const one = async (text: string) => Number(Object.values((await query(kit.storage, text))[0] ?? {})[0]);
    const rows = (table: string, where = "") =>
      one(`SELECT count(*) FROM ${table} WHERE team_id = '${teamId}' ${where}`);
    const total = (name: string) => one(`SELECT ${name} FROM team_counters WHERE team_id = '${teamId}'`);
    const listed = (which: string) =>
      one(`SELECT coalesce(sum(count), 0) FROM list_counts WHERE team_id = '${teamId}' AND list ${which}`);
    expect(await total("contacts")).toBe(await rows("contacts"));
    expect(await total("conversations")).toBe(await rows("conversations"));
    expect(await total("open_conversations")).toBe(await rows("conversations", "AND is_resolved = 0"));
    expect(await listed("= 'contacts'")).toBe(await rows("contacts"));
    expect(await listed("<> 'contacts'")).toBe(await rows("conversations"));
    const numbers = await query(kit.storage, `SELECT number FROM events WHERE team_id = '${teamId}' ORDER BY number`);
    expect(numbers.map(({ number }) => Number(number))).toEqual(numbers.map((_, index) => index + 1));
    expect(await total("event_number")).toBe(numbers.length);
  }

  /** The words in a new backup, as it is restored. */
  async function wordsOfBackup(words: string[]): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "backup");
    await kit.storage.read((db) => backUp(db, file));
    const { storage } = await openTestStorage({ migrated: true });
    await restoreInto(storage, file, {});
    const restored = await dump(storage);
    return words.filter((word) => restored.includes(word));
  }
});

async function erased(acme: TestTeam, contactId: string): Promise<void> {
  const { status, body } = await acme.delete(`/contacts/${contactId}`);
  expect(status).toBe(202);
  await expect.poll(() => stateOf(acme, body.data.id)).toBe("done");
}

/** The id of an export that is done. */
async function exported(acme: TestTeam, contactId: string): Promise<string> {
  const { body } = await acme.post(`/contacts/${contactId}/export`, { include_notes: true });
  const { id } = body.data;
  await expect.poll(async () => (await acme.get(`/exports/${id}`)).body.data.attributes.state).toBe("done");
  return id;
}
const stateOf = async (acme: TestTeam, erasureId: string): Promise<string> =>
  (await acme.get(`/erasures/${erasureId}`)).body.data.attributes.state;

async function found(answers: AsyncIterable<string>, words: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for await (const answer of answers) all.push(...words.filter((word) => answer.includes(word)));
  return all;
}

/** The tables that have a row that names an id. */
const rowsNaming = (text: string, id: string): string =>
  text
    .split("\n")
    .filter((table) => table.includes(id))
    .map((table) => table.slice(0, table.indexOf(":")))
    .sort()
    .join(" ");
