/** Stored timers: each fires once, in one commit with what it does (docs/decisions/0038-jobs-and-timers.md). */
import { randomBytes } from "node:crypto";
import { notFound } from "@frontdesk/core/domain/refusal";
import { type HeldTimeouts, heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { PATIENT } from "@frontdesk/testing/patient";
import { query } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import type { Context, Operation } from "../context.ts";
import { createPerform, type Perform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { type Storage, StorageUnavailable } from "../storage/database.ts";
import { createTeam } from "../teams/create-team.ts";
import type { FiredTimer, TimerHandler, TimerHandlers, TimerKind, TimerRequest } from "./timer.ts";
import { timerHandlers } from "./timer-handlers.ts";
import { createTimerWorker, type TimerOutcome, type TimerWorker } from "./timer-worker.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let time = Date.parse("2026-11-20T09:00:00.000Z");
const { storage } = await openTestStorage({ migrated: true });
const runtime = createRuntime(openVault(randomBytes(32)), () => time);
const perform = createPerform(storage, runtime);
const log: { level: number; msg: string; reason?: string }[] = [];
const logger = pino({ level: "debug" }, { write: (line: string) => void log.push(JSON.parse(line)) });

const workers: TimerWorker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

let acme: SystemActor;
beforeEach(async () => {
  await query(storage, "DELETE FROM timers");
  await query(storage, "DELETE FROM jobs");
  acme = await newTeam();
  log.length = 0;
});

async function newTeam(): Promise<SystemActor> {
  const actor: SystemActor = { kind: "system", teamId: runtime.newId() };
  await perform(actor, createTeam, { name: "Acme" });
  return actor;
}

/** `create-widget` stands for any operation. */
const inCommit = (act: (ctx: Context) => void): Operation<undefined, void> => ({
  name: "create-widget",
  mode: "write",
  run: async (ctx) => act(ctx),
});

const set = (subjectId: string, dueAt: number, more: Partial<TimerRequest> = {}, { team = acme, by = perform } = {}) =>
  by(
    team,
    inCommit((ctx) => ctx.setTimer({ kind: "end-snooze", subjectId, dueAt, ...more } as TimerRequest)),
    undefined,
  );

const cancel = (subjectId: string) =>
  perform(
    acme,
    inCommit((ctx) => ctx.cancelTimer("end-snooze", subjectId)),
    undefined,
  );

/** A timer that fires adds a job in the same commit, which is not run. */
async function leavesMark(ctx: Context, fired: FiredTimer): Promise<void> {
  const cause = `${fired.subjectId} ${fired.armedFor}`;
  ctx.enqueue({ kind: "change-conversation", payload: { changeId: fired.subjectId }, cause });
}

/** The timers that have fired: their subjects and due times, in the order of the commits. */
const marks = async (team = acme) =>
  (await query(storage, `SELECT cause FROM jobs WHERE team_id = '${team.teamId}' ORDER BY id`)).map(({ cause }) =>
    String(cause),
  );
const left = async (team = acme) => query(storage, `SELECT * FROM timers WHERE team_id = '${team.teamId}'`);

/** What a kind may have besides its operation. */
type Also = Partial<Pick<TimerHandler<"end-snooze">, "actor" | "refused">>;

interface Process {
  worker: TimerWorker;
  ends: TimerOutcome[];
  timeouts: HeldTimeouts;
  /** Time goes on, in all processes, and what this one waits for is done. */
  passes(ms: number): void;
}

/** A process that fires timers; `act` is what those of every kind do. */
function process(
  act: (ctx: Context, fired: FiredTimer) => Promise<void> = leavesMark,
  { on = storage, by = perform, also = {} }: { on?: Storage; by?: Perform; also?: Also } = {},
): Process {
  const timeouts = heldTimeouts();
  const ends: TimerOutcome[] = [];
  const operation = <Kind extends TimerKind>(name: Kind): Operation<FiredTimer<Kind>, void> => ({
    name,
    mode: "write",
    run: act,
  });
  const kinds = Object.keys(timerHandlers) as TimerKind[];
  const all = Object.fromEntries(kinds.map((kind) => [kind, operation(kind)])) as unknown as TimerHandlers;
  const handlers: TimerHandlers = { ...all, "end-snooze": { ...operation("end-snooze"), ...also } };
  const worker = createTimerWorker({
    ...{ storage: on, runtime, perform: by, handlers, logger, timeouts },
    onEnd: (_kind, outcome) => ends.push(outcome),
  });
  workers.push(worker);
  worker.start();
  timeouts.advance(0);
  const passes = (ms: number) => {
    time += ms;
    timeouts.advance(ms);
  };
  return { worker, ends, timeouts, passes };
}

/** Lets the process fire what is due, without time passing, until `reached` holds. */
async function until({ timeouts }: Process, reached: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(async () => {
    timeouts.advance(0);
    return reached();
  }, PATIENT);
}

/** Lets the process look until `reached`. */
async function looksUntil({ timeouts }: Process, reached: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(async () => {
    timeouts.advance(5 * SECOND);
    return reached();
  }, PATIENT);
}

const everyTimerGone = async () => (await query(storage, "SELECT kind FROM timers")).length === 0;

it("a timer fires at its moment and not before, once, in the commit of what it does", async () => {
  const here = process();
  const subject = runtime.newId();
  const wakes = createPerform(storage, runtime, { timers: here.worker.wake });
  const armedFor = time + HOUR;
  await set(subject, armedFor, {}, { by: wakes });
  here.passes(HOUR - 1);
  const other = runtime.newId();
  await set(other, time, {}, { by: wakes });
  await until(here, async () => (await marks()).length === 1);
  expect(await marks()).toEqual([`${other} ${time}`]);
  here.passes(1);
  await until(here, async () => (await marks()).length === 2);
  expect((await marks())[1]).toBe(`${subject} ${armedFor}`);
  expect(await left()).toEqual([]);
  expect(here.ends).toEqual(["fired", "fired"]);
});

it("the process sleeps until the next one is due; those of other processes are found by the poll", async () => {
  const reads: number[] = [];
  const counting: Storage = {
    ...storage,
    read: async (work) => {
      const begun = time;
      return storage.read(work).finally(() => reads.push(begun));
    },
  };
  const here = process(leavesMark, { on: counting });
  await vi.waitUntil(() => reads.length === 1, PATIENT);
  const subject = runtime.newId();
  await set(subject, time + 2 * SECOND);
  await vi.waitUntil(() => {
    here.passes(SECOND);
    return reads.length === 2;
  }, PATIENT);
  expect(time - (reads[0] as number)).toBeGreaterThanOrEqual(5 * SECOND);
  await vi.waitUntil(async () => (await marks()).length === 1, PATIENT);
});

it("set again it is moved, with other data; cancelled it never fires", async () => {
  const [moved, cancelled, kept] = [runtime.newId(), runtime.newId(), runtime.newId()];
  for (const subject of [moved, cancelled, kept]) await set(subject, time + HOUR);
  await set(moved, time + 3 * HOUR);
  await cancel(cancelled);
  await cancel(runtime.newId());
  await set(kept, time + 3 * HOUR, { unlessSet: true });
  const first = time + HOUR;
  time += 2 * HOUR;
  const here = process();
  await looksUntil(here, async () => (await marks()).length > 0);
  expect(await marks()).toEqual([`${kept} ${first}`]);
  time += 2 * HOUR;
  await looksUntil(here, everyTimerGone);
  expect(await marks()).toEqual([`${kept} ${first}`, `${moved} ${first + 2 * HOUR}`]);
});

it("a transaction that fails sets none, and ends none", async () => {
  const subject = runtime.newId();
  await set(subject, time + HOUR);
  const before = await left();
  const failing = inCommit((ctx) => {
    ctx.cancelTimer("end-snooze", subject);
    ctx.setTimer({ kind: "mail-replies", subjectId: subject, dueAt: time });
    throw new Error("not now");
  });
  await expect(perform(acme, failing, undefined)).rejects.toThrow("not now");
  expect(await left()).toEqual(before);
});

it("its operation may set it again", async () => {
  const subject = runtime.newId();
  await set(subject, time);
  const begun = time;
  const here = process(async (ctx, fired) => {
    await leavesMark(ctx, fired);
    if (fired.armedFor === begun) ctx.setTimer({ kind: "end-snooze", subjectId: subject, dueAt: begun + HOUR });
  });
  await vi.waitUntil(async () => (await marks()).length === 1, PATIENT);
  expect(await left()).toMatchObject([{ due_at: begun + HOUR }]);
  here.passes(HOUR);
  await looksUntil(here, everyTimerGone);
  expect(await marks()).toEqual([`${subject} ${begun}`, `${subject} ${begun + HOUR}`]);
});

describe("a timer that was seen, but is another one by the time of its commit,", () => {
  /** Between the look and the commit something happens. */
  async function between(happens: (subject: string) => Promise<unknown>) {
    const subject = runtime.newId();
    await set(subject, time);
    const late: Perform = async (actor, operation, input) => {
      await happens(subject);
      return perform(actor, operation, input);
    };
    const here = process(leavesMark, { by: late });
    await vi.waitUntil(() => here.ends.length === 1, PATIENT);
    await here.worker.stop();
    expect(here.ends).toEqual(["elsewhere"]);
    expect(await marks()).toEqual([]);
    return left();
  }

  it("does not fire when it was moved", async () => {
    const later = time + HOUR;
    expect(await between((subject) => set(subject, later))).toMatchObject([{ due_at: later, armed_for: later }]);
  });

  it("does not fire when it was moved to another moment that is past: that is for the next look", async () => {
    expect(await between((subject) => set(subject, time - 1))).toMatchObject([{ armed_for: time - 1 }]);
  });

  it("does not fire when it was cancelled", async () => {
    expect(await between(cancel)).toEqual([]);
  });
});

describe("a timer whose operation throws", () => {
  const fails = async () => {
    throw new Error("not yet");
  };

  it("is tried again after growing waits, then has failed for good, and is kept with its reason", async () => {
    const subject = runtime.newId();
    const begun = time;
    await set(subject, time);
    const here = process(fails);
    // A look may find the timer while it still fires; that attempt finds it moved, and counts for nothing.
    const attempts = () => here.ends.filter((end) => end !== "elsewhere");
    const waits = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];
    for (const [index, wait] of waits.entries()) {
      await looksUntil(here, async () => attempts().length === index + 1);
      expect(await left()).toMatchObject([
        { attempts: index + 1, due_at: time + wait, armed_for: begun, last_error: "not yet", failed_at: null },
      ]);
      time += wait;
    }
    await looksUntil(here, async () => attempts().length === waits.length + 1);
    expect(attempts().at(-1)).toBe("failed");
    await here.worker.stop();
    expect(await left()).toMatchObject([{ attempts: 7, last_error: "not yet", failed_at: time }]);
    expect(log.filter(({ msg }) => msg === "A timer failed permanently.")).toMatchObject([{ reason: "not yet" }]);
    // It is due no more; set again it waits anew.
    time += HOUR;
    await set(subject, time, { unlessSet: true });
    process();
    await vi.waitUntil(everyTimerGone, PATIENT);
    expect(await marks()).toEqual([`${subject} ${time}`]);
  });

  it("has changed nothing", async () => {
    await set(runtime.newId(), time);
    const here = process(async (ctx, fired) => {
      await leavesMark(ctx, fired);
      throw new Error("not yet");
    });
    await vi.waitUntil(() => here.ends.length === 1, PATIENT);
    expect(here.ends).toEqual(["waiting"]);
    expect(await marks()).toEqual([]);
  });

  it("holds up no other timer of its team", async () => {
    const [bad, good] = [runtime.newId(), runtime.newId()];
    await set(bad, time - 1);
    await set(good, time);
    process(async (ctx, fired) => (fired.subjectId === bad ? fails() : leavesMark(ctx, fired)));
    await vi.waitUntil(async () => (await marks()).length === 1, PATIENT);
    expect(await left()).toMatchObject([{ subject_id: bad, attempts: 1 }]);
  });

  it("is over when it refuses: its subject is gone", async () => {
    await set(runtime.newId(), time);
    const here = process(async () => {
      throw notFound("conversation");
    });
    await vi.waitUntil(everyTimerGone, PATIENT);
    await vi.waitUntil(() => here.ends.length === 1, PATIENT);
    expect(here.ends).toEqual(["gone"]);
  });

  it("is done by another operation when it refuses, if its kind has one: of the first one nothing is left", async () => {
    const [subject, mark] = [runtime.newId(), runtime.newId()];
    await set(subject, time);
    const act = async (ctx: Context, fired: FiredTimer) => {
      await leavesMark(ctx, fired);
      throw notFound("conversation");
    };
    const refused: Also["refused"] = {
      name: "end-snooze",
      mode: "write",
      run: (ctx, fired) => leavesMark(ctx, { ...fired, subjectId: `${mark} after ${fired.subjectId}` }),
    };
    const armedFor = time;
    const here = process(act, { also: { refused } });
    await vi.waitUntil(everyTimerGone, PATIENT);
    expect(await marks()).toEqual([`${mark} after ${subject} ${armedFor}`]);
    await vi.waitUntil(() => here.ends.length === 1, PATIENT);
    expect(here.ends).toEqual(["fired"]);
  });

  it("is performed by the actor that its kind names, who needs the permission", async () => {
    const [allowed, denied] = [runtime.newId(), runtime.newId()];
    const seen: string[] = [];
    const act = async ({ actor }: Context) => void seen.push(actor.kind);
    const actor: Also["actor"] = async (_storage, { team_id: teamId, subject_id }) => {
      if (subject_id === allowed) return { kind: "system", teamId };
      return { kind: "channel", teamId, accountId: subject_id };
    };
    await set(allowed, time);
    await set(denied, time);
    const here = process(act, { also: { actor } });
    await vi.waitUntil(() => here.ends.length === 2, PATIENT);
    expect(seen).toEqual(["system"]);
    expect(here.ends.toSorted()).toEqual(["fired", "gone"]);
  });

  it("has not failed when it was the storage that was away", async () => {
    const subject = runtime.newId();
    await set(subject, time);
    let away = true;
    const by: Perform = async (actor, operation, input) => {
      if (away) throw new StorageUnavailable("The storage is away.");
      return perform(actor, operation, input);
    };
    const here = process(leavesMark, { by });
    await vi.waitUntil(() => log.some(({ msg }) => msg.startsWith("Cannot fire a timer")), PATIENT);
    expect(await left()).toMatchObject([{ attempts: 0 }]);
    away = false;
    await looksUntil(here, everyTimerGone);
    expect(await marks()).toHaveLength(1);
  });

  it("is of a kind that this program does not know: it waits for one that does, with a reason that says so", async () => {
    await set(runtime.newId(), time);
    await query(storage, "UPDATE timers SET kind = 'feed-pigeons'");
    const here = process();
    await vi.waitUntil(() => here.ends.length === 1, PATIENT);
    expect(await left()).toMatchObject([
      { attempts: 1, last_error: "This version of the program knows no timers of this kind.", failed_at: null },
    ]);
  });
});

it("two processes that look at the same time fire each timer once", async () => {
  const teams = [acme, await newTeam(), await newTeam()];
  for (const team of teams) for (let n = 0; n < 20; n += 1) await set(runtime.newId(), time - n, {}, { team });
  const processes = [process(), process(), process()];
  await vi.waitUntil(async () => {
    for (const { timeouts } of processes) timeouts.advance(5 * SECOND);
    return everyTimerGone();
  }, PATIENT);
  for (const team of teams) {
    const fired = await marks(team);
    expect([fired.length, new Set(fired).size]).toEqual([20, 20]);
  }
});

it("a team with many due timers does not hold up the one of another, even when it is the youngest", async () => {
  const beta = await newTeam();
  // As a process that was away for long finds them.
  const rows = Array.from({ length: 10_000 }, (_, n) => [runtime.newId(), time - HOUR + n] as const);
  for (let from = 0; from < rows.length; from += 1_000) {
    const values = rows
      .slice(from, from + 1_000)
      .map(([id, at]) => `('${acme.teamId}', 'end-snooze', '${id}', ${at}, ${at}, 0)`);
    const columns = "team_id, kind, subject_id, due_at, armed_for, attempts";
    await query(storage, `INSERT INTO timers (${columns}) VALUES ${values.join(",")}`);
  }
  await set(runtime.newId(), time, {}, { team: beta });
  let ofAcme = 0;
  const { promise: fired, resolve: fires } = Promise.withResolvers<number>();
  const here = process(async (ctx) => {
    if (ctx.teamId === beta.teamId) fires(ofAcme);
    else ofAcme += 1;
  });
  // Opening a connection takes as long as many timers of the other team.
  expect(await fired).toBeLessThan(rows.length / 2);

  // Also one that falls due while the others are under way, of a process that finds it by its poll.
  const gamma = await newTeam();
  const { promise: firedLater, resolve: firesLater } = Promise.withResolvers<void>();
  await here.worker.stop();
  const again = process(async (ctx) => {
    if (ctx.teamId === gamma.teamId) firesLater();
  });
  await set(runtime.newId(), time, {}, { team: gamma });
  let isFired = false;
  void firedLater.then(() => {
    isFired = true;
  });
  await looksUntil(again, async () => isFired);
  expect((await left()).length).toBeGreaterThan(1_000);
});

it("stopping lets the commit under way come to its end, and fires no other", async () => {
  for (let n = 0; n < 3; n += 1) await set(runtime.newId(), time + n - 3);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let begun = 0;
  const slow: Perform = async (actor, operation, input) => {
    begun += 1;
    await held;
    return perform(actor, operation, input);
  };
  const here = process(leavesMark, { by: slow });
  await vi.waitUntil(() => begun === 1, PATIENT);
  const stopped = here.worker.stop();
  letGo();
  await stopped;
  expect([(await marks()).length, (await left()).length]).toEqual([1, 2]);
});
