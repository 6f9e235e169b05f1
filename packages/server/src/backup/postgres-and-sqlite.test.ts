/** Backups between the engines, made while the data is being written. Runs where PostgreSQL is available. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp, everyRow, restoreInto } from "@frontdesk/testing/backups";
import { type BusyTeam, busyTeam } from "@frontdesk/testing/busy-team";
import { deep, inDepth } from "@frontdesk/testing/depth";
import { foundTeam } from "@frontdesk/testing/found-team";
import { appOn, sqlText } from "@frontdesk/testing/second-app";
import { createDatabase, dropDatabase } from "@frontdesk/testing/test-database";
import { afterAll, expect, test } from "vitest";
import { unlockVault } from "../access/secret-key.ts";
import { openVault } from "../access/vault.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import type { Database, Storage } from "../storage/database.ts";
import { openStorage } from "../storage/open-storage.ts";
import { statement } from "../storage/statement.ts";
import { allTeams } from "../teams/team-store.ts";

const ENGINES = ["sqlite", "postgres"] as const;
const KEY = Buffer.alloc(32, 7);
const runtime = createRuntime(openVault(KEY));
const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-engines-"));
const maintenanceUrl = String(process.env.TEST_POSTGRES_URL);
const opened: { storage: Storage; databaseUrl: string | undefined }[] = [];
afterAll(async () => {
  for (const { storage, databaseUrl } of opened) {
    await storage.close().catch(() => {});
    if (databaseUrl) await dropDatabase(maintenanceUrl, databaseUrl);
  }
  rmSync(folder, { recursive: true, force: true });
});

async function openEmpty(engine: (typeof ENGINES)[number], options?: { migrated: boolean }): Promise<Storage> {
  const databaseUrl = engine === "postgres" ? await createDatabase(maintenanceUrl, options) : undefined;
  const storage = openStorage({ databaseUrl, dataDir: mkdtempSync(join(folder, "data-")) });
  opened.push({ storage, databaseUrl });
  return storage;
}

test.each(ENGINES.filter((engine) => deep || engine === "postgres"))(
  "a backup that is made on %s while teams write is one moment of it, and comes back on both engines",
  async (engine) => {
    const source = await openEmpty(engine, { migrated: true });
    await source.migrate();
    await unlockVault({ secretKey: KEY, dataDir: "" }, source);
    const perform = createPerform(source, runtime, { news: () => {}, jobs: () => {} });
    const teams = [await foundTeam({ perform }, runtime), await foundTeam({ perform }, runtime)];
    const writers: BusyTeam[] = [];
    for (const [index, team] of teams.entries()) {
      const owner = await source.read((db) => db.first(ownerOf, { team_id: team.teamId }));
      const busy = busyTeam(perform, { ...team, ownerId: String(owner?.id) }, 1_000 + index);
      await busy.acts(inDepth(200, 500));
      writers.push(busy);
    }

    const asked = { team: teams[0] as (typeof teams)[number], content: "Once only" };
    const answered = await sendOnce(source, asked);
    expect(answered.statusCode).toBe(200);

    // The rows are read a second time, in another way, in the same snapshot, while both teams go on.
    let over = false;
    const writing = writers.map(async (writer) => {
      while (!over) await writer.act();
    });
    // Whatever reads outside of the snapshot reads something else.
    const goOn = () => Promise.all(writers.map((writer) => writer.acts(10)));
    const file = join(folder, `${engine}.backup`);
    const { written, expected, before, after } = await source.read(async (db) => {
      const before = await eventsIn(db);
      await goOn();
      const written = await backUp(db, file);
      await goOn();
      const expected = await everyRow(db);
      return { written, expected, before, after: await eventsIn(db) };
    });
    // So the premise holds: they did go on, and the snapshot stood still.
    const live = await source.read(eventsIn);
    over = true;
    await Promise.all(writing);
    expect(after).toBe(before);
    expect(live).toBeGreaterThan(before + 10);
    expect(written.rows).toBe(sum(Object.entries(expected).filter(([name]) => name !== "schema_migrations")));
    for (const [table, rows] of Object.entries(expected)) {
      if (!EMPTY_HERE.includes(table)) expect(rows.length, table).toBeGreaterThan(0);
    }

    const answers = [];
    for (const target of ENGINES) {
      const restored = await openEmpty(target);
      await restoreInto(restored, file, { secretKey: KEY });
      await restored.check();
      expect(await restored.read(everyRow), `${engine} to ${target}`).toEqual(expected);
      await restored.read(expectSoundCounts);
      answers.push(await restAnswers(restored, teams));
      // The first answer is remembered, and can be opened.
      const replayed = await sendOnce(restored, asked);
      expect([replayed.headers["idempotent-replayed"], replayed.json()]).toEqual(["true", answered.json()]);

      // The restored data is usable: writing goes on from the snapshot.
      const team = teams[0] as (typeof teams)[number];
      const again = createPerform(restored, runtime, { news: () => {}, jobs: () => {} });
      const owner = await restored.read((db) => db.first(ownerOf, { team_id: team.teamId }));
      await busyTeam(again, { ...team, ownerId: String(owner?.id) }, 77).acts(30);
      await restored.read(expectSoundCounts);

      // And a backup of the copy holds the same as the copy.
      const second = join(folder, `${engine}-${target}.backup`);
      const copied = await restored.read(async (db) => {
        await backUp(db, second);
        return everyRow(db);
      });
      const third = await openEmpty(target, { migrated: true });
      await restoreInto(third, second, { secretKey: KEY });
      expect(await third.read(everyRow)).toEqual(copied);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(JSON.stringify(answers[0]).length).toBeGreaterThan(10_000);
  },
  120_000,
);

/** Deliveries are queued here without a sender; no assistant is connected, and no agent is signed in. */
const EMPTY_HERE = [
  "channel_doors",
  "mail_folders",
  "mail_imports",
  "mail_readers",
  "mail_recipients",
  "mail_grants",
  "mail_suppressions",
  "mail_tokens",
  "mails",
  "exports",
  "outbox_attempts",
  "assistants",
  "app_grants",
  "app_tokens",
  "confirmations",
  "queued_changes",
  "tool_calls",
  "visitor_sessions",
  "visitor_mails",
  "sso_providers",
  "sso_identities",
  "sso_domains",
  "sso_domain_directory",
  "sso_logouts",
  "break_glass_owners",
  "article_vectors",
  "article_vector_versions",
  "ai_usage",
  "ai_contact_usage",
  "ai_turns",
  "ai_runs",
  "ai_messages",
  "ai_episodes",
  "article_sites",
  "site_pages",
  "article_origins",
  "ai_settings",
  "files",
  "sessions",
  "password_resets",
  "authenticator_apps",
  "passkeys",
  "recovery_codes",
  "known_browsers",
  "second_steps",
  "code_failures",
  "used_challenges",
  "mentions",
  "drafts",
  "canned_replies",
  "saved_views",
  "preferences",
  "own_reads",
  "held_replies",
  "erasures",
  "erased_conversations",
  "erased_contacts",
  "holds",
  "retention",
  "mail_imports",
  "mails",
  "mail_tokens",
];

const ownerOf = statement<{ team_id: string }, { id: string }>((db, param) =>
  db.selectFrom("agents").select("id").where("team_id", "=", param("team_id")).where("role", "=", "CHAT_AGENT_OWNER"),
);

async function eventsIn(db: Database): Promise<number> {
  return Number((await db.all(sqlText("SELECT count(*) AS total FROM events"), {}))[0]?.total);
}

const sum = (tables: [string, string[]][]) => tables.reduce((total, [, rows]) => total + rows.length, 0);

/** Event numbers have no gap, and every stored total is what a count says. */
async function expectSoundCounts(db: Database): Promise<void> {
  for (const { team_id } of await db.all(allTeams, {})) {
    const one = async (text: string) => (await db.all(sqlText(`${text} WHERE team_id = '${team_id}'`), {}))[0] ?? {};
    const counters = await one("SELECT * FROM team_counters");
    const events = await one("SELECT count(*) AS total, min(number) AS first, max(number) AS last FROM events");
    expect({ total: Number(events.total), first: Number(events.first), last: Number(events.last) }).toEqual({
      total: counters.event_number,
      first: 1,
      last: counters.event_number,
    });
    for (const table of ["contacts", "conversations", "agents", "widgets", "webhooks"]) {
      const { total } = await one(`SELECT count(*) AS total FROM ${table}`);
      expect(Number(total), table).toBe(counters[table]);
    }
  }
}

/** A request that is safe to repeat. */
async function sendOnce(
  storage: Storage,
  { team, content }: { team: { apiKey: string; widgetId: string }; content: string },
) {
  const app = await appOn({ storage, runtime });
  return app.http.inject({
    method: "POST",
    url: "/api/v1/conversations",
    headers: { "x-api-key": team.apiKey, "idempotency-key": "once-only" },
    payload: { widget_id: team.widgetId, content },
  });
}

/** What the REST API says of the teams: every list to its end, and searches. */
async function restAnswers(storage: Storage, teams: { apiKey: string }[]): Promise<unknown[]> {
  const app = await appOn({ storage, runtime });
  const answers: unknown[] = [];
  for (const { apiKey } of teams) {
    const get = async (path: string) => {
      const answer = await app.http.inject({ url: `/api/v1${path}`, headers: { "x-api-key": apiKey } });
      expect(answer.statusCode, path).toBe(200);
      answers.push([path, answer.json()]);
      return answer.json();
    };
    for (const list of ["/widgets", "/agents", "/webhooks"]) await get(list);
    const words = ["größe", "GRÖSSE", "שלום", "リュック", "paket", "%", "_x_", "\\", "visitor-1", "1212555"];
    for (const search of words) await get(`/contacts?search=${encodeURIComponent(search)}&limit=50`);
    let page = 1;
    for (let more = true; more; page += 1) more = (await get(`/contacts?page=${page}&limit=50`)).links.next !== null;
    const fields = "include_fields=contact_name,latest_message,is_resolved,unread_messages";
    const { data } = await get(`/conversations/all?${fields}`);
    for (const { id } of data.slice(0, 5)) {
      await get(`/conversations/${id}/messages`);
      await get(`/conversations/${id}/messages?search=${encodeURIComponent("größe")}`);
    }
  }
  return answers;
}
