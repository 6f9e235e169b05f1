/** The search over all teams reads what is due, however many teams there are (docs/decisions/0038-jobs-and-timers.md). */

import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { query, sqlText } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { uuidv7 } from "../ids.ts";
import { teamsWithDueJobs } from "../jobs/job-store.ts";
import type { Storage } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";
import { dueTimers, nextTimer, teamsWithOldTimers } from "./timer-store.ts";
import { createTimerWorker } from "./timer-worker.ts";

const TEAMS = 20_000;
const NOW = Date.parse("2026-11-20T09:00:00.000Z");
const DAY = 24 * 3_600_000;

const { storage } = await openTestStorage({ migrated: true });
const newId = uuidv7(() => NOW);

/** Rows of as many teams, in few statements. */
async function fill(table: string, columns: string, row: (teamId: string) => string, teams: readonly string[]) {
  for (let from = 0; from < teams.length; from += 2_000) {
    const values = teams.slice(from, from + 2_000).map((teamId) => `(${row(teamId)})`);
    await query(storage, `INSERT INTO ${table} (${columns}) VALUES ${values.join(",")}`);
  }
}

const teams = Array.from({ length: TEAMS }, newId);
await fill("teams", "team_id, name, api_access, created_at", (id) => `'${id}', 'Acme', 1, 0`, teams);
const timer = "team_id, kind, subject_id, due_at, armed_for, attempts";
await fill("timers", timer, (id) => `'${id}', 'end-snooze', '${id}', ${NOW + DAY}, ${NOW + DAY}, 0`, teams);
const job = "team_id, id, kind, payload_sealed, state, attempts, run_at, created_at";
await fill("jobs", job, (id) => `'${id}', '${newId()}', 'send-mail', '', 'done', 1, ${NOW - DAY}, 0`, teams);
await fill("jobs", job, (id) => `'${id}', '${newId()}', 'send-mail', '', 'waiting', 0, ${NOW + DAY}, 0`, teams);
if (storage.engine === "postgres") await query(storage, "ANALYZE");

const looks: [string, Statement<never, unknown>, Record<string, number>, string][] = [
  ["due timers", dueTimers, { now: NOW, per_team: 100, limit: 1_000 }, "timers_due"],
  ["the next timer", nextTimer, { now: NOW }, "timers_due"],
  ["due jobs", teamsWithDueJobs, { now: NOW, steady_now: NOW }, "jobs_due"],
  ["old timers", teamsWithOldTimers, { failed_before: NOW }, "timers_failed"],
];

test.each(looks)(
  "the look for %s goes by an index, and reads no row that is not due",
  async (_name, look, params, index) => {
    const { text, rows } = await planOf(look, params);
    expect(text).toMatch(new RegExp(`(SEARCH \\w+ USING (COVERING )?INDEX|Index (Only )?Scan (using|on)) ${index}\\b`));
    expect(text).not.toMatch(/seq scan|\bscan (timers|jobs)\b|\bteams\b/i);
    // The next one is one row.
    if (rows !== undefined) expect(rows).toBeLessThanOrEqual(1);
  },
);

test("a look that finds nothing is two statements in one transaction, and it is made once in five seconds", async () => {
  let statements = 0;
  let reads = 0;
  const counting: Storage = {
    ...storage,
    read: (work) => {
      reads += 1;
      return storage.read((db) =>
        work({
          ...db,
          all: (...args) => {
            statements += 1;
            return db.all(...args);
          },
          first: (...args) => {
            statements += 1;
            return db.first(...args);
          },
        }),
      );
    },
  };
  let time = NOW;
  const timeouts = heldTimeouts();
  const worker = createTimerWorker({
    ...{ storage: counting, runtime: { now: () => time }, timeouts },
    perform: () => Promise.reject(new Error("Nothing is due.")),
    handlers: {} as never,
    logger: { warn: () => {} } as never,
  });
  worker.start();
  for (let look = 1; look <= 6; look += 1) {
    timeouts.advance(0);
    await expect.poll(() => statements).toBe(2 * look);
    // It is asleep again when time has moved on and nothing more was read.
    await expect
      .poll(() => {
        time += 1_000;
        timeouts.advance(1_000);
        return reads;
      })
      .toBe(look + 1);
  }
  await worker.stop();
  expect(time - NOW).toBeGreaterThanOrEqual(6 * 5_000);
});

/**
 * How the engine runs a statement, and how many rows it reads of tables; SQLite does not say how many. Both plan a prepared
 * statement without its values, PostgreSQL after some runs of it.
 */
async function planOf(look: Statement<never, unknown>, params: Record<string, number>) {
  const { sql, values } = look.compiled(storage.engine);
  const given = values(params as never);
  if (storage.engine === "sqlite") {
    const lines = await query(storage, `EXPLAIN QUERY PLAN ${sql.replaceAll("?", () => String(given.shift()))}`);
    return { text: lines.map(({ detail }) => detail).join("\n"), rows: undefined };
  }
  const explained = await storage.write(null, async (db) => {
    await db.run(sqlText("SET LOCAL plan_cache_mode = force_generic_plan"), {});
    await db.run(sqlText(`PREPARE look AS ${sql}`), {});
    const lines = await db.all(sqlText(`EXPLAIN (ANALYZE, TIMING OFF) EXECUTE look(${given.join(", ")})`), {});
    await db.run(sqlText("DEALLOCATE look"), {});
    return lines;
  });
  const lines = explained.map((line) => String(line["QUERY PLAN"]));
  const rows = lines.flatMap((line) => /Scan .*actual rows=(\d+)/.exec(line)?.[1] ?? []);
  return { text: lines.join("\n"), rows: rows.reduce((sum, one) => sum + Number(one), 0) };
}
