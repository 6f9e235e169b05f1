import { randomBytes } from "node:crypto";
import { jobHandlers } from "@frontdesk/testing/job-handlers";
import { PATIENT } from "@frontdesk/testing/patient";
import { query } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import type { Operation } from "../context.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import type { Storage } from "../storage/database.ts";
import { textStatement } from "../storage/statement.ts";
import { createTeam } from "../teams/create-team.ts";
import { type CleanUp, createCleanUp } from "./clean-up.ts";
import { createJobRunner } from "./job-runner.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BATCH = 500;

let time = Date.parse("2026-11-20T09:00:00.000Z");
const { storage } = await openTestStorage();
await storage.migrate();
const runtime = createRuntime(openVault(randomBytes(32)), () => time);
const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });

// The clean-up waits on a clock that the test moves; ages are counted from `time`.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());

const cleanUps: CleanUp[] = [];
afterEach(() => Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp.stop())));

/** A clean-up that has begun to wait, and what it does: how often it ran, and the rows that each of its writes deleted. */
function started() {
  const log: { level: number; jobs?: number; answers?: number }[] = [];
  const seen = { runs: 0, open: 0, writes: 0, deleted: [] as number[] };
  const watched: Storage = {
    ...storage,
    read: (work) => counted(storage.read(work)),
    write(teamId, work) {
      seen.writes += 1;
      const watchedWork: typeof work = (db) => {
        const run: typeof db.run = async (statement, params) => {
          const rows = await db.run(statement, params);
          seen.deleted.push(rows);
          return rows;
        };
        return work({ ...db, run });
      };
      return counted(storage.write(teamId, watchedWork));
    },
  };
  async function counted<T>(asked: Promise<T>): Promise<T> {
    seen.open += 1;
    return asked.finally(() => {
      seen.open -= 1;
    });
  }
  const logger = pino({ level: "info" }, { write: (line: string) => void log.push(JSON.parse(line)) });
  // It reads the clock once in each run.
  const now = () => {
    seen.runs += 1;
    return time;
  };
  const cleanUp = createCleanUp({
    storage: watched,
    now,
    logger,
    resumeErasures: async () => 0,
    forgetOldSpam: async () => 0,
    removeUnusedFiles: async () => 0,
  });
  cleanUps.push(cleanUp);
  cleanUp.start();
  return { cleanUp, seen, log };
}

/** One clean-up from its start to its end; answers what it has logged of. */
async function cleanedUp(): Promise<{ jobs: number; answers: number }> {
  const { cleanUp, seen, log } = started();
  vi.advanceTimersByTime(MINUTE);
  await ended(seen);
  await cleanUp.stop();
  const { jobs = 0, answers = 0 } = log[0] ?? {};
  return { jobs, answers };
}

/** Waits until the run that has begun makes no more statements. */
async function ended(seen: { open: number }): Promise<void> {
  await vi.waitUntil(() => seen.open === 0, PATIENT);
}

let acme: SystemActor;
let sams: SystemActor;
beforeEach(async () => {
  for (const table of ["jobs", "timers", "idempotency_keys"]) await query(storage, `DELETE FROM ${table}`);
  [acme, sams] = [await newTeam(), await newTeam()];
});

async function newTeam(): Promise<SystemActor> {
  const actor: SystemActor = { kind: "system", teamId: runtime.newId() };
  await perform(actor, createTeam, { name: "Acme" });
  return actor;
}

/** `create-widget` stands for any operation that requests jobs. */
const enqueue: Operation<{ count: number }, void> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { count }) {
    for (let job = 0; job < count; job += 1) ctx.enqueue({ kind: "change-conversation", payload: { changeId: "" } });
  },
};

/** Stores jobs, and has them done now, or fail for good. */
async function endJobs(actor: SystemActor, count: number, state: "done" | "failed" = "done"): Promise<void> {
  await perform(actor, enqueue, { count });
  const text = `UPDATE jobs SET state = '${state}', run_at = ${time} WHERE team_id = '${actor.teamId}' AND state = 'waiting'`;
  await query(storage, text);
}

async function jobsOf({ teamId }: SystemActor): Promise<unknown[]> {
  const rows = await query(storage, `SELECT state FROM jobs WHERE team_id = '${teamId}' ORDER BY id`);
  return rows.map(({ state }) => state);
}

async function keepAnswer({ teamId }: SystemActor, key: string): Promise<void> {
  const row = `'${teamId}', '${runtime.newId()}', '${key}', '', 200, 'sealed', ${time}`;
  await query(storage, `INSERT INTO idempotency_keys VALUES (${row})`);
}

const answersOf = async ({ teamId }: SystemActor) =>
  (await query(storage, `SELECT key FROM idempotency_keys WHERE team_id = '${teamId}'`)).map(({ key }) => key);

test("a done job is deleted 7 days after it was done, however long it had waited", async () => {
  await perform(acme, enqueue, { count: 1 });
  time += 5 * DAY;
  const handlers = jobHandlers({ "change-conversation": async () => {} });
  const runner = createJobRunner({
    storage,
    runtime,
    vault: runtime.vault,
    handlers,
    logger: pino({ level: "silent" }),
  });
  runner.wake(acme.teamId);
  await vi.waitUntil(async () => (await jobsOf(acme))[0] === "done", PATIENT);
  await runner.stop();
  time += 7 * DAY - 1;
  expect(await cleanedUp()).toEqual({ jobs: 0, answers: 0 });
  expect(await jobsOf(acme)).toEqual(["done"]);
  time += 1;
  expect(await cleanedUp()).toEqual({ jobs: 1, answers: 0 });
  expect(await jobsOf(acme)).toEqual([]);
});

test("a failed job is deleted after 30 days; one that waits or runs is not, however old", async () => {
  await endJobs(acme, 1, "failed");
  await endJobs(sams, 1, "failed");
  await perform(acme, enqueue, { count: 2 });
  await query(
    storage,
    `UPDATE jobs SET state = 'running' WHERE team_id = '${acme.teamId}' AND id = (
    SELECT max(CAST(id AS text)) FROM jobs WHERE team_id = '${acme.teamId}')${storage.engine === "postgres" ? "::uuid" : ""}`,
  );
  time += 30 * DAY - 1;
  expect(await cleanedUp()).toEqual({ jobs: 0, answers: 0 });
  time += 1;
  expect(await cleanedUp()).toEqual({ jobs: 2, answers: 0 });
  expect(await jobsOf(acme)).toEqual(["waiting", "running"]);
  expect(await jobsOf(sams)).toEqual([]);
});

test("a failed timer is deleted after 30 days; one that waits is not, however old", async () => {
  const timer = async ({ teamId }: SystemActor, failedAt: number | null) => {
    const row = `'${teamId}', 'end-snooze', '${runtime.newId()}', 0, 0, NULL, 7, 'not yet', ${failedAt}`;
    await query(storage, `INSERT INTO timers VALUES (${row})`);
  };
  for (const team of [acme, sams]) await timer(team, time);
  await timer(acme, time);
  await timer(acme, time + 1);
  await timer(acme, null);
  time += 30 * DAY - 1;
  await cleanedUp();
  expect(await query(storage, "SELECT kind FROM timers")).toHaveLength(5);
  time += 1;
  await cleanedUp();
  expect(await query(storage, "SELECT failed_at FROM timers ORDER BY failed_at IS NULL")).toEqual([
    { failed_at: time - 30 * DAY + 1 },
    { failed_at: null },
  ]);
});

test("a job that was made and done in the same millisecond is deleted at the same time as any other", async () => {
  await endJobs(acme, 1);
  time += 7 * DAY;
  expect(await cleanedUp()).toEqual({ jobs: 1, answers: 0 });
});

test("no transaction deletes more than 500 rows", async () => {
  await endJobs(acme, 2 * BATCH + 1);
  await endJobs(sams, BATCH);
  time += 7 * DAY;
  const { seen, log } = started();
  vi.advanceTimersByTime(MINUTE);
  await vi.waitUntil(() => log.length > 0, PATIENT);
  expect(log).toMatchObject([{ jobs: 3 * BATCH + 1, answers: 0 }]);
  // A full batch is followed by another look.
  expect(seen.deleted.toSorted((a, b) => b - a)).toEqual([BATCH, BATCH, BATCH, 1, 0]);
  expect(await jobsOf(acme)).toEqual([]);
});

test("stored answers are deleted after 24 hours, also those of a team that asks for nothing more", async () => {
  await keepAnswer(acme, "old");
  time += 1;
  await keepAnswer(acme, "new");
  time += DAY - 1;
  expect(await cleanedUp()).toEqual({ jobs: 0, answers: 1 });
  expect(await answersOf(acme)).toEqual(["new"]);
  time += 1;
  expect(await cleanedUp()).toEqual({ jobs: 0, answers: 1 });
  expect(await answersOf(acme)).toEqual([]);
});

test("it runs a minute after the start and then every hour, never twice at once", async () => {
  await endJobs(acme, 1);
  time += 7 * DAY;
  const { seen, log } = started();
  vi.advanceTimersByTime(MINUTE - 1);
  expect(seen.runs).toBe(0);

  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: holding, resolve: hold } = Promise.withResolvers<void>();
  const busy = storage.write(acme.teamId, async (db) => {
    await db.run(textStatement("SELECT 1"), {});
    hold();
    await held;
  });
  await holding;
  vi.advanceTimersByTime(1);
  await vi.waitUntil(() => seen.writes === 1, PATIENT);
  for (let hour = 0; hour < 3; hour += 1) vi.advanceTimersByTime(HOUR);
  expect(seen).toMatchObject({ runs: 1, writes: 1 });
  letGo();
  await busy;
  await ended(seen);
  expect(log).toMatchObject([{ jobs: 1 }]);

  // Waiting for the end has moved the clock a little.
  vi.advanceTimersByTime(HOUR - MINUTE);
  expect(seen.runs).toBe(1);
  vi.advanceTimersByTime(MINUTE);
  expect(seen.runs).toBe(2);
});

test("stopping lets the batch come to its end and begins no other", async () => {
  await endJobs(acme, BATCH + 1);
  time += 7 * DAY;
  const { cleanUp, seen } = started();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const busy = storage.write(acme.teamId, () => held);
  vi.advanceTimersByTime(MINUTE);
  await vi.waitUntil(() => seen.writes === 1, PATIENT);
  const stopped = cleanUp.stop();
  letGo();
  await Promise.all([busy, stopped]);
  expect(await jobsOf(acme)).toHaveLength(1);
  vi.advanceTimersByTime(2 * HOUR);
  expect(seen.writes).toBe(1);
});

test("what goes wrong is logged, and tried again an hour later", async () => {
  await endJobs(acme, 1);
  time += 7 * DAY;
  const { seen, log } = started();
  await query(storage, "ALTER TABLE jobs RENAME TO hidden_jobs");
  vi.advanceTimersByTime(MINUTE);
  await vi.waitUntil(() => log.length === 1, PATIENT);
  expect(log).toMatchObject([{ level: 40, msg: expect.stringContaining("Retrying in an hour") }]);
  await query(storage, "ALTER TABLE hidden_jobs RENAME TO jobs");
  vi.advanceTimersByTime(HOUR);
  await vi.waitUntil(() => log.length === 2, PATIENT);
  expect(log[1]).toMatchObject({ level: 30, jobs: 1 });
  expect(seen.runs).toBe(2);
});
