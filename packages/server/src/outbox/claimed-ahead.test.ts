/** Items that are claimed ahead of the slots of their endpoint: sent in order and once, or released (docs/decisions/0014). */

import { inDepth } from "@frontdesk/testing/depth";
import { status } from "@frontdesk/testing/https-receiver";
import { query } from "@frontdesk/testing/second-app";
import { hold, type Subscription, startAppWithReceivers, subscribe, textOf } from "@frontdesk/testing/subscriber";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { app, team, storage, receiver } = await startAppWithReceivers();
await app.start();

const SLOTS = 16;
const ALL = inDepth(150, 240);
/** They share their commits. */
const AT_ONCE = 10;
const ACKNOWLEDGED = 90;
const UNSENT_MS = 500;

async function counted({ id }: Subscription): Promise<Record<string, number>> {
  const text = `SELECT state, count(*) AS total FROM outbox_items WHERE queue_id = '${id}' GROUP BY state`;
  return Object.fromEntries((await query(storage, text)).map(({ state, total }) => [state, Number(total)]));
}

const attemptsOf = ({ id }: Subscription) =>
  query(storage, `SELECT id, outcome FROM outbox_attempts WHERE queue_id = '${id}' ORDER BY id`);

/** Visitors write `count` messages in all, `each` of them that many; those of a visitor in order. */
async function written(acme: TestTeam, count: number, each: number) {
  const writes = async (visitor: number) => {
    const { contactId } = await veraWrites(acme, { content: `${visitor} 0` });
    for (let number = 1; number < each; number += 1) {
      await veraWrites(acme, { contact_id: contactId, content: `${visitor} ${number}` });
    }
  };
  const visitors = Array.from({ length: count / each }, (_, visitor) => visitor);
  while (visitors.length > 0) await Promise.all(visitors.splice(0, AT_ONCE).map(writes));
}

/**
 * An endpoint of `ALL` messages that acknowledges the first 90 and then leaves 16 waiting, while more has been claimed for it.
 * How much that is depends on its pace: on a machine that is late with everything it may be nothing, and another one is tried.
 */
async function busy(each: number, tries = 5) {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  const held = hold();
  let taken = 0;
  there.answers((exchange) => {
    taken += 1;
    (taken <= ACKNOWLEDGED ? status(200) : held.answer)(exchange);
  });
  // All of them are there before the first is sent.
  await query(storage, `UPDATE webhooks SET is_active = 0 WHERE id = '${hook.id}'`);
  await written(acme, ALL, each);
  await query(
    storage,
    `INSERT INTO outbox_items (team_id, queue_id, event_number, receiver, event_id, event_name, order_key, state, attempt,
       last_attempt, run_at, created_at)
     SELECT team_id, '${hook.id}', number, 'webhook', id, name, conversation_id, 'waiting', 1, 4, 0, occurred_at
     FROM events WHERE team_id = '${acme.teamId}' AND name = 'message.received'`,
  );
  await query(storage, `UPDATE webhooks SET is_active = 1 WHERE id = '${hook.id}'`);
  await query(
    storage,
    `INSERT INTO outbox_queues (team_id, queue_id, receiver, lease_until, due_at, failures)
     VALUES ('${acme.teamId}', '${hook.id}', 'webhook', 0, 0, 0)`,
  );
  await expect.poll(() => held.waiting.length).toBe(SLOTS);
  await expect.poll(async () => (await counted(hook)).delivered).toBe(ACKNOWLEDGED);
  const heldSince = performance.now();
  const { sending = 0 } = await counted(hook);
  if (sending > SLOTS || tries === 1) return { acme, there, hook, held, heldSince };
  there.answers(status(200));
  held.letGo();
  await expect.poll(() => counted(hook)).toEqual({ delivered: ALL });
  return busy(each, tries - 1);
}

test("of many that wait for a quick endpoint more than 16 are claimed, and no more than 16 are under way; each is sent once, in order", async () => {
  const { there, hook, held } = await busy(5);
  expect((await counted(hook)).sending).toBeGreaterThan(SLOTS);
  expect(there.received).toHaveLength(ACKNOWLEDGED + SLOTS);
  there.answers(status(200));
  held.letGo();
  await expect.poll(() => counted(hook)).toEqual({ delivered: ALL });
  expect(there.received).toHaveLength(ALL);
  expect(new Set(there.received.map(({ headers }) => headers["webhook-id"])).size).toBe(ALL);
  const told = there.received.map(textOf);
  for (let visitor = 0; visitor < ALL / 5; visitor += 1) {
    const ofVisitor = told.filter((text) => text.startsWith(`${visitor} `));
    expect(ofVisitor).toEqual(Array.from({ length: 5 }, (_, number) => `${visitor} ${number}`));
  }
  expect(await attemptsOf(hook)).toHaveLength(ALL);
});

test("items claimed too long ago are released, and claimed again before they are sent", async () => {
  const { there, hook, held, heldSince } = await busy(1);
  const before = new Set((await attemptsOf(hook)).map(({ id }) => id));
  expect(before.size).toBeGreaterThan(ACKNOWLEDGED + SLOTS);
  await expect.poll(() => performance.now() - heldSince).toBeGreaterThan(UNSENT_MS);
  there.answers(status(200));
  held.letGo();
  await expect.poll(() => counted(hook)).toEqual({ delivered: ALL });
  const sent = there.received.map(({ headers }) => headers["x-service-delivery-id"]);
  expect(new Set(sent).size).toBe(ALL);
  // Those that were under way have kept their names, and no other claim of then was sent.
  expect(sent.filter((id) => before.has(id))).toHaveLength(ACKNOWLEDGED + SLOTS);
  expect((await attemptsOf(hook)).map(({ id }) => id)).toEqual(sent.toSorted());
});

test("what has been claimed for an endpoint that then fails is given back unsent, and all of it comes in the end", async () => {
  const { there, hook, held } = await busy(1);
  const before = new Set((await attemptsOf(hook)).map(({ id }) => id));
  there.answers(status(200));
  held.letGo(status(404));
  await expect.poll(() => counted(hook)).toEqual({ delivered: ALL - SLOTS, failed: SLOTS });
  expect(there.received).toHaveLength(ALL);
  const attempts = await attemptsOf(hook);
  expect(attempts).toHaveLength(ALL);
  expect(attempts.filter(({ id }) => before.has(id)).length).toBeLessThan(before.size);
});

test("what has been claimed for a subscription that is switched off is not sent, and the log does not say it was", async () => {
  const { acme, there, hook } = await busy(1);
  expect((await acme.patch(hook.path, { is_active: false })).status).toBe(200);
  expect(there.received).toHaveLength(ACKNOWLEDGED + SLOTS);
  expect(await counted(hook)).toEqual({ delivered: ACKNOWLEDGED, stopped: ALL - ACKNOWLEDGED });
  const outcomes = (await attemptsOf(hook)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array(ACKNOWLEDGED).fill("delivered"), ...Array(SLOTS).fill("stopped")]);
  await expect.poll(() => there.connections.open).toBe(0);
  expect(there.received).toHaveLength(ACKNOWLEDGED + SLOTS);
});
