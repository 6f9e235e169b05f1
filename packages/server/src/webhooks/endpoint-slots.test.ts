/** How many attempts are under way at a time for an endpoint (docs/decisions/0014). */
import { status } from "@frontdesk/testing/https-receiver";
import { hold, settled, startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { app, team, receiver } = await startAppWithReceivers();
await app.start();

describe("the slots of an endpoint", () => {
  test("are 4 at the start, one more for each success, 16 at most, and half as many after a failure", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    await Promise.all(Array.from({ length: 80 }, () => veraWrites(acme)));
    for (const places of [4, 8, 16, 16]) {
      await expect.poll(() => held.waiting.length).toBe(places);
      expect(there.connections.open).toBe(places);
      held.letGo();
    }
    await expect.poll(() => held.waiting.length).toBe(16);
    // They fail together, and each failure halves the slots, down to two.
    held.letGo(status(500));
    await expect.poll(() => held.waiting.length).toBe(2);
    expect(held.most).toBe(16);
    expect(there.received).toHaveLength(4 + 8 + 16 + 16 + 16 + 2);
    there.answers(status(200));
    held.letGo();
    await settled(hook, 80);
  });

  test("are its own, however many subscriptions lead to the same host: none waits for the connection of another", async () => {
    const acme = await team();
    const there = await receiver();
    const held = hold();
    there.answers(held.answer);
    const hooks = [];
    for (let number = 0; number < 20; number += 1) hooks.push(await subscribe(acme, there.url(`/${number}`)));
    await Promise.all(Array.from({ length: 4 }, () => veraWrites(acme)));
    await expect.poll(() => held.waiting.length).toBe(20 * 4);
    held.letGo();
    for (const hook of hooks) await settled(hook, 4);
    expect(there.received).toHaveLength(20 * 4);
  });

  test("are its own: while it never answers, another endpoint is sent all of its events", async () => {
    const acme = await team();
    const [deaf, quick] = [await receiver(), await receiver()];
    await subscribe(acme, deaf.url());
    const hook = await subscribe(acme, quick.url());
    const held = hold();
    deaf.answers(held.answer);
    await Promise.all(Array.from({ length: 100 }, () => veraWrites(acme)));
    await settled(hook, 100);
    expect(quick.received).toHaveLength(100);
    expect(held.most).toBeGreaterThan(0);
    expect(held.most).toBeLessThanOrEqual(16);
  });
});
