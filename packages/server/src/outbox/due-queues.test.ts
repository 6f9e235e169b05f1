/**
 * What the search over all teams finds, and what it reads for it (docs/decisions/0037; `outbox-store.ts` has the rule of
 * `due_at`).
 */
import { DEFAULT_RETRY_WAITS_MS, webhookResult } from "@frontdesk/core/domain/retry-schedule";
import { inDepth } from "@frontdesk/testing/depth";
import { query, sqlText } from "@frontdesk/testing/second-app";
import { type Subscription, subscribe } from "@frontdesk/testing/subscriber";
import { engine, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { afterEach, expect, test } from "vitest";
import { seeded } from "../../test/attack/kill-while-writing.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { createWebhookReceiver } from "../webhooks/webhook-receiver.ts";
import { type ClaimedItem, claimItems, type EndedAttempt, leaseHolds } from "./claim-items.ts";
import { IMPOSSIBLE_LEASE_MS, QUEUE_LEASE_MS } from "./outbox-item.ts";
import { queuesWithWork } from "./outbox-store.ts";

// The app does not run: nothing is claimed but by the test.
const { team, clock, storage, runtime } = await startTestApp();
const waits = DEFAULT_RETRY_WAITS_MS;
const receiver = createWebhookReceiver({ outbound: createOutbound({ allowedNetworks: [] }), runtime, waits });

const STEPS = inDepth(200, 400);

// No lease of an imagined process outlives its test: its subscription would wait for it.
afterEach(() => clock.advance(2 * IMPOSSIBLE_LEASE_MS));

function process() {
  const underWay = new Set<ClaimedItem>();
  return {
    ownerId: runtime.newId(),
    underWay,
    async claim({ teamId }: TestTeam, { id }: Subscription, slots: number, ended: EndedAttempt[] = []) {
      for (const { item } of ended) underWay.delete(item);
      const own = [...underWay].filter(({ queueId }) => queueId === id);
      const request = { ownerId: this.ownerId, ended, slots, ahead: 0, from: 0, seeksRetries: true, unsure: false };
      const name = { teamId, queueId: id, receiver: "webhook" };
      const outcome = await storage.write(teamId, (db) =>
        claimItems(db, runtime, receiver, name, { ...request, underWay: own }),
      );
      if (outcome.queue === "ours") for (const item of outcome.claimed) underWay.add(item);
      return outcome;
    },
  };
}

function ended(item: ClaimedItem, how: "accept" | "retry" | "refuse" | "abort" | "unsent"): EndedAttempt {
  if (how === "unsent") return { item, result: "unsent" };
  if (how === "abort") return { item, result: { outcome: "aborted", error: "stopped", durationMs: 1, answer: null } };
  const status = { accept: 200, retry: 503, refuse: 404 }[how];
  const result = webhookResult({ answered: true, status, retryAfterMs: undefined }, item.attempt, waits);
  return { item, result: { ...result, error: how === "accept" ? null : "status", durationMs: 1, answer: null } };
}

const found = () => {
  const now = clock.now();
  const far = { far: now + receiver.longestWaitMs, lease_far: now + IMPOSSIBLE_LEASE_MS };
  return storage.read((db) => db.all(queuesWithWork, { now, ...far }));
};

/** The rows of all queues, with the earliest of their waiting items: of all, and of those due again. */
async function looked() {
  const waiting =
    "SELECT min(run_at) FROM outbox_items AS items WHERE items.queue_id = queues.queue_id AND state = 'waiting'";
  const rows = await storage.read((db) =>
    db.all(
      sqlText(`SELECT queue_id, owner_id, lease_until, due_at, (${waiting}) AS earliest, (${waiting} AND run_at > 0) AS again
        FROM outbox_queues AS queues`),
      {},
    ),
  );
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  return (hook: Subscription) => {
    const row = rows.find(({ queue_id }) => queue_id === hook.id);
    return {
      isOwned: typeof row?.owner_id === "string",
      isHeld: typeof row?.owner_id === "string" && leaseHolds(Number(row.lease_until), clock.now()),
      dueAt: number(row?.due_at),
      earliest: number(row?.earliest),
      again: number(row?.again),
    };
  };
}

test("whatever happens to a queue, it is due when the earliest of what waits in it is, and the look finds it then", async () => {
  const random = seeded(20_261_123);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const teams = [await team(), await team()];
  const queues: { acme: TestTeam; hook: Subscription }[] = [];
  for (const acme of teams) {
    for (let each = 0; each < 2; each += 1)
      queues.push({ acme, hook: await subscribe(acme, "https://hooks.acme.test/") });
  }
  const processes = [process(), process()];
  const steps = {
    write: async ({ acme }: (typeof queues)[0]) => void (await veraWrites(acme)),
    async claim({ acme, hook }: (typeof queues)[0]) {
      const by = pick(processes);
      const own = [...by.underWay].filter(({ queueId }) => queueId === hook.id);
      const how = ["accept", "retry", "refuse", "abort", "unsent"] as const;
      const ends = own.filter(() => random() < 0.7).map((item) => ended(item, pick(how)));
      await by.claim(acme, hook, pick([0, 1, 3]), ends);
    },
    async replay({ acme, hook }: (typeof queues)[0]) {
      await acme.post(`${hook.path}/replay`, { since: "2026-11-20T09:00:00Z" });
    },
    async wait() {
      clock.advance(pick([10, QUEUE_LEASE_MS / 2, QUEUE_LEASE_MS + 1, 60_000]));
    },
  };
  const names = ["write", "claim", "claim", "claim", "replay", "wait"] as const;
  let due = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const name = pick(names);
    await steps[name](pick(queues));
    const seen = new Set((await found()).map(({ queue_id }) => queue_id));
    const rowOf = await looked();
    for (const { hook } of queues) {
      const { isOwned, isHeld, dueAt, earliest, again } = rowOf(hook);
      expect({ step, name, dueAt }).toEqual({ step, name, dueAt: isOwned ? again : earliest });
      const isDue = !isHeld && (isOwned || (earliest !== null && earliest <= clock.now()));
      const isDueAgain = again !== null && again <= clock.now();
      expect({ step, name, seen: seen.has(hook.id) }).toEqual({ step, name, seen: isDue || isDueAgain });
      if (isDue) due += 1;
    }
  }
  expect(due).toBeGreaterThan(STEPS / 4);
});

test("what lies impossibly far ahead, as after the clock was set back, is found at once", async () => {
  const acme = await team();
  const [late, held] = [await subscribe(acme, "https://a.test/"), await subscribe(acme, "https://b.test/")];
  await veraWrites(acme);
  const set = (hook: Subscription, what: string) =>
    query(storage, `UPDATE outbox_queues SET ${what} WHERE queue_id = '${hook.id}'`);
  const far = clock.now() + receiver.longestWaitMs;
  await set(late, `due_at = ${far}`);
  await set(held, `due_at = NULL, owner_id = '${runtime.newId()}', lease_until = ${clock.now() + IMPOSSIBLE_LEASE_MS}`);
  const seen = async () => {
    const ids = (await found()).map(({ queue_id }) => queue_id);
    return [late, held].map(({ id }) => ids.includes(id));
  };
  expect(await seen()).toEqual([false, false]);
  await set(late, `due_at = ${far + 1}`);
  await set(held, `lease_until = ${clock.now() + IMPOSSIBLE_LEASE_MS + 1}`);
  expect(await seen()).toEqual([true, true]);
});

test("the look reads the queues that are due and those that have an owner, by their indexes, and no item", async () => {
  const { sql } = queuesWithWork.compiled(engine);
  expect(sql).not.toMatch(/outbox_items|webhooks|teams/);
  const text = sql.replaceAll(/\?|\$\d+/g, "1");
  const plan = await storage.write(null, async (db) => {
    // The tables are too small for PostgreSQL to care.
    if (engine === "postgres") await db.run(sqlText("SET LOCAL enable_seqscan = off"), {});
    return db.all(sqlText(engine === "postgres" ? `EXPLAIN ${text}` : `EXPLAIN QUERY PLAN ${text}`), {});
  });
  const steps = plan.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n");
  expect(steps.match(/outbox_queues_due\b/g)).toHaveLength(2);
  expect(steps.match(/outbox_queues_owned\b/g)).toHaveLength(1);
  expect(steps).not.toMatch(/\bSCAN outbox_queues$|Seq Scan/m);
});
