/** Channels where a second copy does no harm, and accounts that may not send yet (docs/decisions/0037, 0040). */
import { startLineServer } from "@frontdesk/testing/line-receiver";
import { openLoft, PIGEON_CHANNEL } from "@frontdesk/testing/pigeon";
import { query } from "@frontdesk/testing/second-app";
import { shortTimeouts } from "@frontdesk/testing/short-timeouts";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import type { ChannelDriver } from "../../src/channels/channel-driver.ts";
import { createChannelReceiver } from "../../src/channels/channel-receiver.ts";
import { MAIL_RESENT_AFTER_MS } from "../../src/channels/reply-waits.ts";
import { claimItems } from "../../src/outbox/claim-items.ts";
import { QUEUE_LEASE_MS } from "../../src/outbox/outbox-item.ts";
import { createOutboxWorker } from "../../src/outbox/outbox-worker.ts";
import { pigeonDriver, pigeonDrivers } from "./pigeon-driver.ts";

// Its app does not run: only the workers of a test send.
const kit = await startTestApp({}, undefined, pigeonDrivers);
const { team, clock, storage, runtime } = kit;

async function scene(driver: Partial<ChannelDriver>) {
  const acme = await team();
  const there = await startLineServer({ numbered: true });
  onTestFinished(() => there.close());
  const loft = await openLoft(kit, acme, { settings: { port: there.port } });
  const { conversationId } = await loft.letter();
  await adaReplies(acme, conversationId, { content: "Yes" });
  const drivers = new Map([[PIGEON_CHANNEL, { ...pigeonDriver, ...driver }]]);
  const receiver = createChannelReceiver({ drivers, runtime });
  const name = { teamId: acme.teamId, queueId: loft.accountId, receiver: "channel" };
  const item = async () => (await query(storage, `SELECT * FROM outbox_items WHERE queue_id = '${loft.accountId}'`))[0];
  const attempts = async () =>
    (await query(storage, `SELECT outcome FROM outbox_attempts WHERE queue_id = '${loft.accountId}' ORDER BY id`)).map(
      ({ outcome }) => outcome,
    );
  const work = () => {
    const worker = createOutboxWorker({
      storage: { ...storage, joinServers: async () => {} },
      runtime,
      receivers: { channel: receiver },
      logger: pino({ level: "silent" }),
      timeouts: shortTimeouts,
    });
    worker.start();
    onTestFinished(() => worker.stop());
    worker.wake(acme.teamId, [name]);
  };
  /** How often screens learn how far the reply has got. */
  const changes = async () =>
    (await acme.events()).filter(({ name: event }) => event === "message.delivery-changed").length;
  return { there, receiver, name, item, attempts, work, changes };
}

test("what may have arrived is sent once more after ten minutes, the same, and then never again", async () => {
  const { there, item, attempts, work, changes } = await scene({ isRepeatable: true });
  there.answers("cut");
  work();
  await expect.poll(item).toMatchObject({ state: "waiting", attempt: 2 });
  expect(await changes()).toBe(1);
  expect(await attempts()).toEqual(["unknown"]);
  expect(Number((await item())?.run_at)).toBe(runtime.steadyNow() + MAIL_RESENT_AFTER_MS);
  clock.advance(MAIL_RESENT_AFTER_MS);
  await expect.poll(item).toMatchObject({ state: "unknown" });
  expect(await attempts()).toEqual(["unknown", "unknown"]);
  expect(there.received).toHaveLength(2);
  expect(there.received[0]).toBe(there.received[1]);
});

test("what a process was sending when it died is sent once more as well, by another process", async () => {
  const { there, receiver, name, item, attempts, work, changes } = await scene({ isRepeatable: true });
  const request = { ended: [], slots: 4, ahead: 0, from: 0, seeksRetries: true, underWay: [], unsure: false };
  const dies = () =>
    storage.write(name.teamId, (db) =>
      claimItems(db, runtime, receiver, name, { ...request, ownerId: runtime.newId() }),
    );
  expect(await dies()).toMatchObject({ queue: "ours", claimed: [{ attempt: 1 }] });
  clock.advance(QUEUE_LEASE_MS + 1);
  work();
  await expect.poll(item).toMatchObject({ state: "waiting", attempt: 2 });
  expect(await changes()).toBe(1);
  expect(there.received).toEqual([]);
  there.answers("cut");
  clock.advance(MAIL_RESENT_AFTER_MS);
  await expect.poll(item).toMatchObject({ state: "unknown" });
  expect(await attempts()).toEqual([null, "unknown"]);
  expect(there.received).toHaveLength(1);
});

test("what the account may not send yet uses no attempt, however often", async () => {
  let left = 3;
  const { there, item, attempts, work } = await scene({
    async send(...args) {
      left -= 1;
      return left >= 0 ? { outcome: "postponed", reason: "pace", after: 60_000 } : pigeonDriver.send(...args);
    },
  });
  work();
  for (const still of [2, 1, 0]) {
    await expect.poll(async () => [left, (await item())?.state]).toEqual([still, "waiting"]);
    expect(await item()).toMatchObject({ attempt: 1 });
    await expect.poll(async () => Number((await item())?.run_at)).toBe(runtime.steadyNow() + 60_000);
    clock.advance(60_000);
  }
  await expect.poll(item).toMatchObject({ state: "delivered", attempt: 1 });
  expect(await attempts()).toEqual(["failed", "failed", "failed", "delivered"]);
  expect(there.received).toHaveLength(1);
});
