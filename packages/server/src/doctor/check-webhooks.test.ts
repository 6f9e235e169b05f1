/** What `frontdesk doctor` reports of the endpoints of webhooks. */

import { status } from "@frontdesk/testing/https-receiver";
import { type Subscription, startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { checkWebhooks } from "./check-webhooks.ts";

const { app, team, clock, storage, receiver } = await startAppWithReceivers();
await app.start();

/** Messages one after another, each of them attempted before the next. */
async function attempts(acme: TestTeam, hook: Subscription, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const before = (await hook.deliveries()).length;
    await veraWrites(acme);
    await expect.poll(async () => (await hook.deliveries())[0]?.attributes.last_attempt?.outcome).toBeTruthy();
    expect(await hook.deliveries()).toHaveLength(before + 1);
  }
}

test("an endpoint that failed four times in a row is listed with host, start and cause; never with its path or key", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url("/hook?key=geheim"), { name: "Order system" });
  there.answers(status(503));
  const since = new Date(clock.now()).toISOString();
  await attempts(acme, hook, 3);
  expect(await checkWebhooks(storage)).toEqual({
    name: "webhooks",
    state: "ok",
    says: "No webhook endpoints are failing.",
  });
  clock.advance(1_000);
  await attempts(acme, hook, 1);
  const check = await checkWebhooks(storage);
  expect(check).toEqual({
    name: "webhooks",
    state: "warning",
    says: `Failing endpoints: Order system (receiver.test:${there.port}): 4 failed attempts in a row since ${since}, most recently: status 503.`,
    do: expect.stringContaining("/replay"),
  });
  expect(JSON.stringify(check)).not.toMatch(/geheim|127\.0\.0\.1/);

  // Each of several is reported.
  const sams = await team();
  const silent = await subscribe(sams, "https://10.1.2.3/hook", { name: "Sam's" });
  await attempts(sams, silent, 4);
  const { says } = await checkWebhooks(storage);
  expect(says).toContain("Order system");
  expect(says).toContain("Sam's (10.1.2.3): 4 failed attempts");
  expect(says).toContain("most recently: blocked_address.");
});

test("an endpoint that accepts one again, or is switched off, or removed, is no longer reported", async () => {
  const acme = await team();
  const there = await receiver();
  const [well, off, gone] = [
    await subscribe(acme, there.url("/well")),
    await subscribe(acme, there.url("/off")),
    await subscribe(acme, there.url("/gone")),
  ];
  there.answers(status(410));
  for (let number = 0; number < 4; number += 1) {
    await veraWrites(acme);
    for (const hook of [well, off, gone]) {
      await expect.poll(async () => (await hook.deliveries("state=failed")).length).toBe(number + 1);
    }
  }
  expect((await checkWebhooks(storage)).says.match(/4 failed attempts in a row/g)).toHaveLength(3);
  await acme.patch(off.path, { is_active: false });
  await acme.delete(gone.path);
  there.answers(status(200));
  await attempts(acme, well, 1);
  await expect.poll(well.states).toContain("delivered");
  expect(await checkWebhooks(storage)).toMatchObject({ state: "ok" });
});
