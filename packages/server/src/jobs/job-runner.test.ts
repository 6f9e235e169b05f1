import { randomBytes } from "node:crypto";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { jobHandlers } from "@frontdesk/testing/job-handlers";
import { PATIENT } from "@frontdesk/testing/patient";
import { query } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import type { Operation } from "../context.ts";
import { uuidv7 } from "../ids.ts";
import type { Mail } from "../mail/mail.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { statement } from "../storage/statement.ts";
import type { JobRow } from "../storage/tables.ts";
import { createTeam } from "../teams/create-team.ts";
import type { Timeouts } from "../timeouts.ts";
import type { JobOutcome } from "./attempt-ending.ts";
import { holdLease } from "./hold-lease.ts";
import type { JobHandler, JobHandlers, JobRequest, RunningJob } from "./job.ts";
import { createJobRunner, type JobRunner } from "./job-runner.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let time = Date.parse("2026-11-20T09:00:00.000Z");
const { storage } = await openTestStorage();
await storage.migrate();
const runtime = createRuntime(openVault(randomBytes(32)), () => time);
const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
const log: string[] = [];
const logger = pino({ level: "debug" }, { write: (line) => void log.push(line) });

const runners: JobRunner[] = [];
afterAll(() => Promise.all(runners.map((runner) => runner.stop())));
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));

/** A process that runs jobs; `handler` is that of `send-mail`. */
function runner(
  handler: JobHandler<"send-mail">,
  {
    timeouts = heldTimeouts(),
    others = {},
    onEnd,
  }: { timeouts?: Timeouts; others?: Partial<JobHandlers>; onEnd?: (kind: string, outcome: JobOutcome) => void } = {},
) {
  const handlers = jobHandlers({ "send-mail": handler, ...others });
  const made = createJobRunner({
    ...{ storage, runtime, vault: runtime.vault, handlers, logger, timeouts },
    ...(onEnd && { onEnd }),
  });
  runners.push(made);
  return made;
}

/** `create-widget` stands for any operation that requests jobs. */
const enqueueAll: Operation<{ jobs: JobRequest[] }, void> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { jobs }) {
    for (const job of jobs) ctx.enqueue(job);
  },
};

/** Stores jobs that send mail, identified by their subjects. */
const enqueue = (subjects: string[], { team = acme, ...more }: { team?: SystemActor; queueKey?: string } = {}) =>
  perform(team, enqueueAll, {
    jobs: subjects.map((subject): JobRequest => ({ kind: "send-mail", payload: mail(subject), ...more })),
  });

const mail = (subject: string): Mail => ({ to: "grace@acme.test", subject, text: "geheim" });

const jobsOf = statement<{ team_id: string }, JobRow>((db, param) =>
  db.selectFrom("jobs").selectAll().where("team_id", "=", param("team_id")).orderBy("id"),
);
const jobs = (team = acme) => storage.read((db) => db.all(jobsOf, { team_id: team.teamId }));
const states = async () => (await jobs()).map(({ state }) => state);

async function newTeam(): Promise<SystemActor> {
  const actor: SystemActor = { kind: "system", teamId: runtime.newId() };
  await perform(actor, createTeam, { name: "Acme" });
  return actor;
}

let acme: SystemActor;
beforeEach(async () => {
  acme = await newTeam();
  log.length = 0;
});

it("a stored job is done once, and loses its payload", async () => {
  await enqueue(["Welcome"]);
  expect((await jobs())[0]?.payload_sealed).not.toContain("geheim");
  const seen: unknown[] = [];
  const ends: unknown[] = [];
  const work = runner(async (payload) => void seen.push(payload), { onEnd: (...end) => ends.push(end) });
  work.start();
  work.wake(acme.teamId);
  work.wake(acme.teamId);
  await vi.waitUntil(async () => (await states()).every((state) => state === "done"), PATIENT);
  work.wake(acme.teamId);
  await work.stop();
  expect(seen).toEqual([mail("Welcome")]);
  expect(ends).toEqual([["send-mail", "done"]]);
  expect(await jobs()).toMatchObject([{ state: "done", attempts: 1, payload_sealed: "", last_error: null }]);
});

it("jobs of another process, which sends no signal here, are found at the start, and by the poll", async () => {
  await enqueue(["Welcome"]);
  const timeouts = heldTimeouts();
  const work = runner(async () => {}, { timeouts });
  work.start();
  await vi.waitUntil(async () => (await states())[0] === "done", PATIENT);
  await enqueue(["Invitation"]);
  await vi.waitUntil(async () => {
    timeouts.advance(5 * SECOND);
    return (await states())[1] === "done";
  }, PATIENT);
});

it("a handler is given its team, the job's id, and what led to it", async () => {
  const cause = JSON.stringify({ event: "evt_1" });
  await perform(acme, enqueueAll, { jobs: [{ kind: "send-mail", payload: mail("Welcome"), cause }] });
  const seen: RunningJob[] = [];
  runner(async (_, job) => void seen.push(job)).wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "done", PATIENT);
  expect(seen).toMatchObject([{ teamId: acme.teamId, id: (await jobs())[0]?.id, cause }]);
});

it("a job that fails is tried again after growing waits, then has failed for good", async () => {
  await enqueue(["Welcome"]);
  let attempts = 0;
  const work = runner(async () => {
    attempts += 1;
    throw new Error(`no mail server, attempt ${attempts}`);
  });
  const attempted = async () => {
    work.wake(acme.teamId);
    await vi.waitUntil(
      async () => (await jobs()).every(({ state }) => state === "waiting" || state === "failed"),
      PATIENT,
    );
    return attempts;
  };
  work.wake(acme.teamId);
  await vi.waitUntil(async () => attempts === 1 && (await states())[0] === "waiting", PATIENT);
  const waits = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];
  for (const [index, wait] of waits.entries()) {
    expect(await jobs()).toMatchObject([{ state: "waiting", attempts: index + 1, run_at: time + wait }]);
    time += wait - 1;
    expect(await attempted()).toBe(index + 1);
    time += 1;
    work.wake(acme.teamId);
    await vi.waitUntil(async () => attempts === index + 2 && (await states())[0] !== "running", PATIENT);
  }
  expect(await jobs()).toMatchObject([
    { state: "failed", attempts: 6, payload_sealed: "", last_error: "no mail server, attempt 6" },
  ]);
  expect(log.length).toBe(6);
  expect(log.join()).not.toContain("geheim");
});

it("a job whose process died is taken over when its lease has run out, and the late end of it changes nothing", async () => {
  await enqueue(["Welcome"]);
  const { promise: hang, resolve: wakeUp } = Promise.withResolvers<void>();
  // Its timeouts stand still, as those of a dead process: it renews nothing.
  const dead = runner(() => hang);
  dead.wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "running", PATIENT);

  let done = 0;
  const failing = async () => {
    done += 1;
    throw new Error("not yet");
  };
  time += MINUTE - 1;
  const other = runner(failing);
  other.wake(acme.teamId);
  await other.stop();
  expect([done, await states()]).toEqual([0, ["running"]]);

  time += 1;
  runner(failing).wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "waiting", PATIENT);
  wakeUp();
  await dead.stop();
  expect(done).toBe(1);
  expect(await jobs()).toMatchObject([{ state: "waiting", attempts: 2, last_error: "not yet" }]);
});

it("the lease is renewed while the handler runs, so that no other process takes a long job", async () => {
  await enqueue(["Welcome"]);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const timeouts = heldTimeouts();
  let begun = 0;
  const long = async () => {
    begun += 1;
    await gate;
  };
  runner(long, { timeouts }).wake(acme.teamId);
  await vi.waitUntil(() => begun === 1, PATIENT);
  for (let third = 0; third < 9; third += 1) {
    time += 20 * SECOND;
    timeouts.advance(20 * SECOND);
    await vi.waitUntil(async () => (await jobs())[0]?.lease_until === time + MINUTE, PATIENT);
  }
  const other = runner(long);
  other.wake(acme.teamId);
  await other.stop();
  open();
  await vi.waitUntil(async () => (await states())[0] === "done", PATIENT);
  expect([begun, (await jobs())[0]?.attempts]).toEqual([1, 1]);
});

it("a handler gets a signal that its lease is lost: another process has claimed the job", async () => {
  await enqueue(["Welcome"]);
  const timeouts = heldTimeouts();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const { promise: lost, resolve: hears } = Promise.withResolvers<unknown>();
  const asleep = runner(
    (_, { signal }) =>
      new Promise((_done, reject) => {
        begins();
        signal.addEventListener("abort", () => {
          hears(signal.reason);
          reject(signal.reason);
        });
      }),
    { timeouts },
  );
  asleep.wake(acme.teamId);
  // That the claim is stored says not yet that its lease is held.
  await begun;
  expect(await states()).toEqual(["running"]);
  time += MINUTE;
  runner(async () => {}).wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "done", PATIENT);
  timeouts.advance(20 * SECOND);
  expect(await lost).toMatchObject({ message: "The lease of the job was lost." });
  await asleep.stop();
  expect(await jobs()).toMatchObject([{ state: "done", attempts: 2, last_error: null }]);
});

it("a lease that cannot be renewed, because the storage is away, is held until its time is over", async () => {
  const timeouts = heldTimeouts();
  let tries = 0;
  const lease = holdLease({
    ...{ leaseMs: MINUTE, leaseUntil: time + MINUTE, steadyNow: () => time, timeouts },
    renew: async () => {
      tries += 1;
      throw new Error("The storage is away.");
    },
  });
  for (const aborted of [false, false, true]) {
    const before = tries;
    time += 20 * SECOND;
    await vi.waitUntil(() => {
      timeouts.advance(20 * SECOND);
      return tries > before;
    }, PATIENT);
    await vi.waitUntil(() => lease.signal.aborted === aborted, PATIENT);
  }
});

it("a job that ends its process each time is given up after the sixth", async () => {
  await enqueue(["1", "2"]);
  await storage.write(acme.teamId, async (db) => {
    const [first] = await db.all(jobsOf, { team_id: acme.teamId });
    await db.run(crashed, { team_id: acme.teamId, id: first?.id ?? "", claim_id: runtime.newId(), lease_until: time });
  });
  time += SECOND;
  const seen: unknown[] = [];
  runner(async ({ subject }) => void seen.push(subject)).wake(acme.teamId);
  await vi.waitUntil(async () => (await states()).join() === "failed,done", PATIENT);
  expect(seen).toEqual(["2"]);
  expect((await jobs())[0]).toMatchObject({ payload_sealed: "", last_error: "The process ended while the job ran." });
  // An end has its time, by which it is deleted one day.
  expect((await jobs()).map(({ run_at }) => run_at)).toEqual([time, time]);
});

const crashed = statement<Pick<JobRow, "team_id" | "id" | "claim_id" | "lease_until">>((db, param) =>
  db
    .updateTable("jobs")
    .set({ state: "running", attempts: 6, claim_id: param("claim_id"), lease_until: param("lease_until") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

it("a job of a kind that this program does not know fails with a reason that says so; one of a retired kind ends as done", async () => {
  await enqueue(["1", "2"]);
  const [first, second] = await jobs();
  await query(storage, `UPDATE jobs SET kind = 'send-pigeon' WHERE id = '${first?.id}'`);
  await query(storage, `UPDATE jobs SET kind = 'wake-conversation' WHERE id = '${second?.id}'`);
  runner(async () => {}).wake(acme.teamId);
  await vi.waitUntil(async () => (await states()).join() === "waiting,done", PATIENT);
  expect(await jobs()).toMatchObject([
    { attempts: 1, last_error: "This version of the program knows no jobs of this kind." },
    { attempts: 1, last_error: null },
  ]);
});

describe("jobs of one key", () => {
  /** Notes what begins and ends, and fails as often as requested. */
  function noting(fails: Set<string> = new Set()) {
    const order: string[] = [];
    let now = 0;
    let most = 0;
    const handler: JobHandler<"send-mail"> = async ({ subject }) => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      if (fails.has(subject)) throw new Error("not yet");
      order.push(subject);
    };
    return { order, handler, most: () => most };
  }

  it("run one after the other, in the order in which they were enqueued, and those of another key or none beside them", async () => {
    await enqueue(["a1", "a2", "a3"], { queueKey: "a" });
    await enqueue(["b1", "b2"], { queueKey: "b" });
    await enqueue(["c1"]);
    const fails = new Set(["a1"]);
    const { order, handler } = noting(fails);
    const work = runner(handler);
    work.wake(acme.teamId);
    await vi.waitUntil(async () => (await states()).join() === "waiting,waiting,waiting,done,done,done", PATIENT);
    // The first one waits for its next attempt, and holds back those behind it.
    expect(order.toSorted()).toEqual(["b1", "b2", "c1"]);
    expect(order.indexOf("b1")).toBeLessThan(order.indexOf("b2"));
    expect((await jobs()).map(({ attempts }) => attempts)).toEqual([1, 0, 0, 1, 1, 1]);
    fails.clear();
    time += 30 * SECOND;
    work.wake(acme.teamId);
    await vi.waitUntil(async () => (await states()).every((state) => state === "done"), PATIENT);
    expect(order.slice(3)).toEqual(["a1", "a2", "a3"]);
  });

  it("go on when the first one has failed for good", async () => {
    await enqueue(["1", "2"], { queueKey: "a" });
    const [first] = await jobs();
    await query(storage, `UPDATE jobs SET attempts = 5 WHERE id = '${first?.id}'`);
    const { order, handler } = noting(new Set(["1"]));
    runner(handler).wake(acme.teamId);
    await vi.waitUntil(async () => (await states()).join() === "failed,done", PATIENT);
    expect(order).toEqual(["2"]);
  });

  it("keep their order over processes, one of whose clocks is behind", async () => {
    const behind = createPerform(storage, { ...runtime, now: () => time, newId: uuidv7(() => time - HOUR) });
    const subjects = Array.from({ length: 20 }, (_, n) => String(n));
    for (const [n, subject] of subjects.entries()) {
      const by = n % 2 ? perform : behind;
      await by(acme, enqueueAll, { jobs: [{ kind: "send-mail", payload: mail(subject), queueKey: "a" }] });
    }
    expect((await jobs()).map(({ queue_number }) => queue_number)).not.toEqual(subjects.map((_, n) => n + 1));
    const { order, handler, most } = noting();
    const works = [runner(handler), runner(handler)];
    await vi.waitUntil(async () => {
      for (const work of works) work.wake(acme.teamId);
      return (await states()).every((state) => state === "done");
    }, PATIENT);
    expect(order).toEqual(subjects);
    expect(most()).toBe(1);
  });

  it("of two teams do not wait for one another", async () => {
    const beta = await newTeam();
    await enqueue(["acme"], { queueKey: "a" });
    await enqueue(["beta"], { queueKey: "a", team: beta });
    const { order, handler } = noting(new Set(["acme"]));
    const work = runner(handler);
    work.wake(acme.teamId);
    work.wake(beta.teamId);
    await vi.waitUntil(async () => (await jobs(beta))[0]?.state === "done", PATIENT);
    expect(order).toEqual(["beta"]);
  });
});

it("at most 4 jobs of a kind run at once, over all teams; a busy team holds up no other, and a busy kind no other", async () => {
  const beta = await newTeam();
  const subjects = Array.from({ length: 10 }, (_, n) => `acme ${n}`);
  await enqueue(subjects);
  await enqueue(["beta"], { team: beta });
  const gates: (() => void)[] = [];
  const order: string[] = [];
  let most = 0;
  let now = 0;
  let others = 0;
  const work = runner(
    async ({ subject }) => {
      order.push(subject);
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((open) => gates.push(open));
      now -= 1;
    },
    {
      others: {
        "change-conversation": async () => {
          others += 1;
        },
      },
    },
  );
  work.wake(acme.teamId);
  work.wake(beta.teamId);
  await vi.waitUntil(() => gates.length === 4, PATIENT);
  expect(order).toContain("beta");
  await perform(acme, enqueueAll, { jobs: [{ kind: "change-conversation", payload: { changeId: runtime.newId() } }] });
  work.wake(acme.teamId);
  await vi.waitUntil(() => others === 1, PATIENT);
  expect(gates).toHaveLength(4);
  for (let open = 0; open < 11; open += 1) {
    await vi.waitUntil(() => gates.length > open, PATIENT);
    gates[open]?.();
  }
  await vi.waitUntil(
    async () => [...(await states()), (await jobs(beta))[0]?.state].every((state) => state === "done"),
    PATIENT,
  );
  expect(most).toBe(4);
  expect(order).toHaveLength(11);
});

it("stopping lets what runs come to its end, and takes nothing more", async () => {
  await enqueue(["1", "2", "3", "4", "5", "6"]);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let begun = 0;
  const work = runner(async () => {
    begun += 1;
    await gate;
  });
  work.wake(acme.teamId);
  await vi.waitUntil(() => begun === 4, PATIENT);
  const stopped = work.stop();
  open();
  await stopped;
  expect((await states()).sort()).toEqual(["done", "done", "done", "done", "waiting", "waiting"]);
});

it("a handler that breaks off because the process stops has used up no attempt, and its job is due at once", async () => {
  await enqueue(["Welcome"]);
  const ends: string[] = [];
  const work = runner(
    (_, { signal }) => new Promise((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    { onEnd: (_kind, outcome) => ends.push(outcome) },
  );
  work.wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "running", PATIENT);
  await work.stop();
  expect(ends).toEqual(["released"]);
  expect(await jobs()).toMatchObject([{ state: "waiting", attempts: 0, run_at: time }]);
  runner(async () => {}).wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "done", PATIENT);
});
