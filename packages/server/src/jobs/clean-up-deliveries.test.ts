/** How long the log of webhook deliveries is kept, and that it is deleted in small steps (`jobs/clean-up.ts`). */

import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { watchedCleanUp } from "@frontdesk/testing/watched-clean-up";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

// The app does not run: deliveries are in the states that the test gives them.
const { team, clock, storage } = await startTestApp();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BATCH = 500;

beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());
beforeEach(async () => {
  await query(storage, "DELETE FROM outbox_items");
});

/** How many deliveries one clean-up has deleted, and the most in one transaction. */
async function cleanedUp() {
  const { told, most } = await watchedCleanUp({ storage, clock });
  return { deleted: told.deliveries ?? 0, most };
}

/** A subscription of a team. */
async function subscribed(acme: TestTeam): Promise<string> {
  const body = { endpoint_url: "https://hooks.acme.test/", events: ["message.received"] };
  return (await acme.post("/webhooks", body)).body.data.id;
}

/** A delivery of each state, that ended now if it has ended; with an attempt. */
async function oneOfEach(acme: TestTeam): Promise<void> {
  const states = ["waiting", "sending", "delivered", "failed", "stopped"];
  for (const state of states) {
    await veraWrites(acme);
    const ended = state === "waiting" || state === "sending" ? "NULL" : clock.now();
    await query(
      storage,
      `UPDATE outbox_items SET state = '${state}', ended_at = ${ended}
       WHERE event_number = (SELECT max(event_number) FROM outbox_items WHERE team_id = '${acme.teamId}')`,
    );
  }
  await query(
    storage,
    `INSERT INTO outbox_attempts (team_id, queue_id, event_number, id, attempt, address, started_at)
     SELECT team_id, queue_id, event_number, 'del_1', 1, 'https://hooks.acme.test/', ${clock.now()} FROM outbox_items
     WHERE team_id = '${acme.teamId}'`,
  );
}

const statesOf = async ({ teamId }: TestTeam) =>
  (await query(storage, `SELECT state FROM outbox_items WHERE team_id = '${teamId}' ORDER BY event_number`)).map(
    ({ state }) => state,
  );
const attemptsOf = async ({ teamId }: TestTeam) =>
  (await query(storage, `SELECT id FROM outbox_attempts WHERE team_id = '${teamId}'`)).length;

test("a delivered one is deleted after 7 days, a failed or stopped one after 30, each with its attempts; one on its way never", async () => {
  const acme = await team();
  await subscribed(acme);
  await oneOfEach(acme);
  clock.advance(7 * DAY - 1);
  expect((await cleanedUp()).deleted).toBe(0);
  expect(await statesOf(acme)).toEqual(["waiting", "sending", "delivered", "failed", "stopped"]);
  clock.advance(1);
  expect((await cleanedUp()).deleted).toBe(1);
  expect(await statesOf(acme)).toEqual(["waiting", "sending", "failed", "stopped"]);
  expect(await attemptsOf(acme)).toBe(4);
  clock.advance(23 * DAY - 1);
  expect((await cleanedUp()).deleted).toBe(0);
  clock.advance(1);
  expect((await cleanedUp()).deleted).toBe(2);
  clock.advance(1_000 * DAY);
  expect((await cleanedUp()).deleted).toBe(0);
  expect(await statesOf(acme)).toEqual(["waiting", "sending"]);
  expect(await attemptsOf(acme)).toBe(2);
});

test("those of a subscription that is gone are deleted at once, in whatever state; those of others stay", async () => {
  const [acme, sams] = [await team(), await team()];
  const [gone] = [await subscribed(acme), await subscribed(acme), await subscribed(sams)];
  await veraWrites(acme);
  await oneOfEach(sams);
  await acme.delete(`/webhooks/${gone}`);
  expect((await cleanedUp()).deleted).toBe(1);
  expect(await statesOf(acme)).toEqual(["waiting"]);
  expect(await statesOf(sams)).toHaveLength(5);
  expect(await attemptsOf(sams)).toBe(5);
});

test("no transaction deletes more than 500, and all that are old are deleted in the end", async () => {
  const acme = await team();
  const gone = await subscribed(acme);
  await veraWrites(acme);
  const kept = [
    "team_id",
    "queue_id",
    "receiver",
    "event_name",
    "state",
    "attempt",
    "last_attempt",
    "run_at",
    "created_at",
  ].join();
  await query(
    storage,
    `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${2 * BATCH})
     INSERT INTO outbox_items (event_number, event_id, ${kept}) SELECT 1000 + number, 'evt_' || number, ${kept}
     FROM outbox_items CROSS JOIN numbers WHERE team_id = '${acme.teamId}'`,
  );
  await acme.delete(`/webhooks/${gone}`);
  expect(await statesOf(acme)).toHaveLength(2 * BATCH + 1);
  expect(await cleanedUp()).toEqual({ deleted: 2 * BATCH + 1, most: BATCH });
  expect(await statesOf(acme)).toEqual([]);
});

test("the queue of a subscription that is gone is deleted, unless a process still holds it; that of another is kept", async () => {
  const acme = await team();
  const [gone, held, lost, kept] = [
    await subscribed(acme),
    await subscribed(acme),
    await subscribed(acme),
    await subscribed(acme),
  ];
  const owner = "'01980000-0000-7000-8000-000000000001'";
  const queues: [string, string, number][] = [
    [gone, "NULL", 0],
    [held, owner, clock.now()],
    [lost, owner, clock.now() - DAY - 1],
    [kept, "NULL", 0],
  ];
  for (const [id, ownerId, leaseUntil] of queues) {
    await query(
      storage,
      `INSERT INTO outbox_queues (team_id, queue_id, receiver, owner_id, lease_until, failures)
       VALUES ('${acme.teamId}', '${id}', 'webhook', ${ownerId}, ${leaseUntil}, 0)`,
    );
  }
  for (const id of [gone, held, lost]) expect((await acme.delete(`/webhooks/${id}`)).status).toBe(200);
  await cleanedUp();
  const left = await query(storage, `SELECT queue_id FROM outbox_queues WHERE team_id = '${acme.teamId}'`);
  expect(left.map(({ queue_id }) => queue_id).toSorted()).toEqual([held, kept].toSorted());
});
