/** Webhook deliveries in `/metrics`. */

import { hang, status } from "@frontdesk/testing/https-receiver";
import { query } from "@frontdesk/testing/second-app";
import { hold, startAppWithReceivers, subscribe, textOf } from "@frontdesk/testing/subscriber";
import { startTestApp, type TestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { ATTEMPT_TIMEOUT_MS } from "../outbound/post.ts";

const sending = await startAppWithReceivers({}, ATTEMPT_TIMEOUT_MS);
await sending.app.start();
// Sends nothing, so that all waits.
const [idle, broken] = [await startTestApp(), await startTestApp()];

/** The value of one line; undefined when it is not there. */
async function metric({ app }: TestApp, name: string): Promise<number | undefined> {
  const { payload } = await app.http.inject("/metrics");
  const line = payload.split("\n").find((text) => text.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

test("attempts are counted by how they ended: delivered, stopped, or what went wrong", async () => {
  const { team, receiver } = sending;
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  const held = hold();
  there.answers((exchange) => {
    const text = textOf(exchange.request);
    const answer = text === "hold" ? held.answer : text === "hang" ? hang : status(Number(text));
    return answer(exchange);
  });
  const blocked = await subscribe(acme, "https://10.0.0.7/");
  for (const content of ["200", "204", "404", "500", "410", "hang"]) await veraWrites(acme, { content });
  const counted = (outcome: string) => metric(sending, `frontdesk_webhook_attempts_total{outcome="${outcome}"}`);
  await expect.poll(() => counted("timeout")).toBe(1);
  await acme.delete(blocked.path);
  await veraWrites(acme, { content: "hold" });
  await expect.poll(() => held.waiting.length).toBe(1);
  await acme.delete(hook.path);
  await expect.poll(() => counted("stopped")).toBe(1);
  expect(await counted("delivered")).toBe(2);
  expect(await counted("status")).toBe(2);
  expect(await counted("gone")).toBe(1);
  expect(await counted("blocked_address")).toBe(6);
});

test("the queue is measured by how many wait, and by how long the longest has been due; a retry is not due before its time", async () => {
  const { team, receiver, clock } = sending;
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  const depth = () => metric(sending, "frontdesk_webhook_queue_depth");
  const oldest = () => metric(sending, "frontdesk_webhook_oldest_seconds");
  const before = (await depth()) as number;
  there.answers(status(500));
  await veraWrites(acme);
  await expect.poll(depth).toBe(before + 1);
  await expect.poll(async () => (await hook.deliveries())[0]?.attributes.attempt).toBe(2);
  expect(await oldest()).toBe(0);
  const held = hold();
  there.answers(held.answer);
  clock.advance(66_000);
  await expect.poll(() => held.waiting.length).toBe(1);
  expect(await depth()).toBe(before);
});

test("what has never been attempted has been due since it happened", async () => {
  const { team, clock } = idle;
  const acme = await team();
  await subscribe(acme, "https://hooks.acme.test/");
  expect(await metric(idle, "frontdesk_webhook_queue_depth")).toBe(0);
  expect(await metric(idle, "frontdesk_webhook_oldest_seconds")).toBe(0);
  await veraWrites(acme);
  clock.advance(90_000);
  await veraWrites(acme);
  expect(await metric(idle, "frontdesk_webhook_queue_depth")).toBe(2);
  expect(await metric(idle, "frontdesk_webhook_oldest_seconds")).toBe(90);
});

test("what is replayed is due at once, and does not look as if it had been due for years", async () => {
  const { team, clock, storage } = idle;
  const acme = await team();
  const hook = await subscribe(acme, "https://hooks.acme.test/");
  await veraWrites(acme);
  const ended = `state = 'failed', ended_at = ${clock.now()}`;
  await query(storage, `UPDATE outbox_items SET ${ended} WHERE team_id = '${acme.teamId}'`);
  await query(storage, `DELETE FROM outbox_items WHERE team_id <> '${acme.teamId}'`);
  clock.advance(10 * 24 * 60 * 60_000);
  const [delivery] = await hook.deliveries();
  await acme.post(`${hook.path}/deliveries/${delivery?.id}/replay`);
  expect(await metric(idle, "frontdesk_webhook_queue_depth")).toBe(1);
  expect(await metric(idle, "frontdesk_webhook_oldest_seconds")).toBeLessThan(60);
});

test("while the storage is not available, the queue is not known and the others are reported", async () => {
  await query(broken.storage, "ALTER TABLE outbox_items RENAME TO hidden_items");
  const answer = await broken.app.http.inject("/metrics");
  expect(answer.statusCode).toBe(200);
  expect(await metric(broken, "frontdesk_webhook_queue_depth")).toBeNaN();
  expect(await metric(broken, "frontdesk_webhook_oldest_seconds")).toBeNaN();
  expect(answer.payload).toContain("frontdesk_process_cpu_seconds_total");
});
