import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { PATIENT } from "../../test/patient.ts";
import { openTestStorage } from "../../test/test-kit.ts";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import type { Operation } from "../context.ts";
import { createMachine } from "../machine.ts";
import { createPerform } from "../perform.ts";
import { statement } from "../storage/statement.ts";
import type { JobRow } from "../storage/tables.ts";
import { createTeam } from "../teams/create-team.ts";
import { createJobRunner, type JobRunner } from "./job-runner.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let time = Date.parse("2026-11-20T09:00:00.000Z");
const { storage } = await openTestStorage();
await storage.migrate();
const machine = createMachine(openVault(randomBytes(32)), () => time);
const perform = createPerform(storage, machine, { news: () => {}, jobs: () => {} });
const log: string[] = [];
const logger = pino({ level: "debug" }, { write: (line) => void log.push(line) });

const runners: JobRunner[] = [];
afterAll(() => Promise.all(runners.map((runner) => runner.stop())));
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));

/** A program that does jobs with `handler`. */
function runner(handler: (payload: unknown) => Promise<void>, onEnd?: (kind: string, outcome: string) => void) {
  const made = createJobRunner({
    storage,
    machine,
    vault: machine.vault,
    handlers: { "send-mail": handler },
    logger,
    ...(onEnd && { onEnd }),
  });
  runners.push(made);
  return made;
}

/** `create-widget` stands for any operation that asks for jobs. */
const enqueue: Operation<{ payloads: object[] }, void> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { payloads }) {
    for (const payload of payloads) await ctx.enqueue({ kind: "send-mail", payload });
  },
};

const jobsOf = statement<{ team_id: string }, JobRow>((db, param) =>
  db.selectFrom("jobs").selectAll().where("team_id", "=", param("team_id")).orderBy("id"),
);
const jobs = (team = acme) => storage.read((db) => db.all(jobsOf, { team_id: team.teamId }));
const states = async () => (await jobs()).map(({ state }) => state);

async function newTeam(): Promise<SystemActor> {
  const actor: SystemActor = { kind: "system", teamId: machine.newId() };
  await perform(actor, createTeam, { name: "Acme" });
  return actor;
}

let acme: SystemActor;
beforeEach(async () => {
  acme = await newTeam();
  log.length = 0;
});

it("a stored job is done once, and loses its payload", async () => {
  await perform(acme, enqueue, { payloads: [{ link: "geheim" }] });
  expect((await jobs())[0]?.payload_sealed).not.toContain("geheim");
  const seen: unknown[] = [];
  const ends: unknown[] = [];
  const work = runner(
    async (payload) => void seen.push(payload),
    (...end) => ends.push(end),
  );
  work.start();
  work.wake(acme.teamId);
  work.wake(acme.teamId);
  await vi.waitUntil(async () => (await states()).every((state) => state === "done"), PATIENT);
  work.wake(acme.teamId);
  await work.stop();
  expect(seen).toEqual([{ link: "geheim" }]);
  expect(ends).toEqual([["send-mail", "done"]]);
  expect(await jobs()).toMatchObject([{ state: "done", attempts: 1, payload_sealed: "", last_error: null }]);
});

it("jobs of a command line, which wakes nobody, are found by looking", async () => {
  await perform(acme, enqueue, { payloads: [{ n: 1 }] });
  const work = runner(async () => {});
  work.start();
  await vi.waitUntil(async () => (await states())[0] === "done", PATIENT);
});

it("a job that fails is tried again after growing waits, then has failed for good", async () => {
  await perform(acme, enqueue, { payloads: [{ link: "geheim" }] });
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
  await perform(acme, enqueue, { payloads: [{ n: 1 }] });
  const { promise: hang, resolve: wakeUp } = Promise.withResolvers<void>();
  const dead = runner(() => hang);
  dead.wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "running", PATIENT);

  let done = 0;
  const other = runner(async () => {
    done += 1;
    throw new Error("not yet");
  });
  time += MINUTE - 1;
  other.wake(acme.teamId);
  await other.stop();
  expect([done, await states()]).toEqual([0, ["running"]]);

  time += 1;
  const next = runner(async () => {
    done += 1;
    throw new Error("not yet");
  });
  next.wake(acme.teamId);
  await vi.waitUntil(async () => (await states())[0] === "waiting", PATIENT);
  wakeUp();
  await dead.stop();
  expect(done).toBe(1);
  expect(await jobs()).toMatchObject([{ state: "waiting", attempts: 2, last_error: "not yet" }]);
});

it("a job that ends its process each time is given up after the sixth", async () => {
  await perform(acme, enqueue, { payloads: [{ n: 1 }, { n: 2 }] });
  await storage.write(acme.teamId, async (db) => {
    const [first] = await db.all(jobsOf, { team_id: acme.teamId });
    await db.run(crashed, { team_id: acme.teamId, id: first?.id ?? "", claim_id: machine.newId(), lease_until: time });
  });
  time += SECOND;
  const seen: unknown[] = [];
  const work = runner(async (payload) => void seen.push(payload));
  work.wake(acme.teamId);
  await vi.waitUntil(async () => (await states()).join() === "failed,done", PATIENT);
  expect(seen).toEqual([{ n: 2 }]);
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

it("at most 4 jobs run at once, over all teams, and one busy team does not hold up another", async () => {
  const beta = await newTeam();
  await perform(acme, enqueue, { payloads: Array.from({ length: 10 }, (_, n) => ({ team: "acme", n })) });
  await perform(beta, enqueue, { payloads: [{ team: "beta", n: 0 }] });
  const gates: (() => void)[] = [];
  const order: string[] = [];
  let most = 0;
  let now = 0;
  const work = runner(async (payload) => {
    order.push((payload as { team: string }).team);
    now += 1;
    most = Math.max(most, now);
    await new Promise<void>((open) => gates.push(open));
    now -= 1;
  });
  work.wake(acme.teamId);
  work.wake(beta.teamId);
  await vi.waitUntil(() => gates.length === 4, PATIENT);
  expect(order).toContain("beta");
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
  await perform(acme, enqueue, { payloads: Array.from({ length: 6 }, (_, n) => ({ n })) });
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
