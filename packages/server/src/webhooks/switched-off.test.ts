/** "Deliveries to its endpoint stop immediately": DELETE and is_active = false (specification, "States"; reference rows 16 and 17). */

import { status } from "@frontdesk/testing/https-receiver";
import { PATIENT } from "@frontdesk/testing/patient";
import { appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { hold, type Subscription, startAppWithReceivers, subscribe, textOf } from "@frontdesk/testing/subscriber";
import { engine, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test, vi } from "vitest";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import { StorageUnavailable } from "../storage/database.ts";
import { updateWebhook } from "./update-webhook.ts";

const kit = await startAppWithReceivers();
const { app, team, clock, storage, runtime, outbound, receiver } = kit;
await app.start();

const MINUTE = 60_000;

const write = (acme: TestTeam, count: number, content = "Hello?") =>
  Promise.all(Array.from({ length: count }, () => veraWrites(acme, { content })));

const switchOff = (acme: TestTeam, { path }: Subscription) => acme.patch(path, { is_active: false });
const switchOn = (acme: TestTeam, { path }: Subscription) => acme.patch(path, { is_active: true });
const remove = (acme: TestTeam, { path }: Subscription) => acme.delete(path);

/** The table's rows of every attempt for a subscription, also after it is deleted. */
const attemptsOf = ({ id }: Subscription) =>
  query(storage, `SELECT id, outcome, error FROM outbox_attempts WHERE queue_id = '${id}' ORDER BY id`);

/** A subscription with four requests that are never answered, a retry that waits, and the rest queued. */
async function busy(acme: TestTeam) {
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  const held = hold();
  there.answers(status(500));
  await veraWrites(acme, { content: "to be retried" });
  await vi.waitFor(async () => expect((await hook.deliveries())[0]?.attributes.attempt).toBe(2), PATIENT);
  there.answers(held.answer);
  await write(acme, 30);
  await expect.poll(() => held.waiting.length).toBe(4);
  return { there, hook, held };
}

describe.each([
  ["switching a subscription off", switchOff],
  ["removing a subscription", remove],
])("%s", (_what, stop) => {
  test("breaks off what is under way before the answer comes, and starts no request after it", async () => {
    const acme = await team();
    const { there, hook, held } = await busy(acme);
    expect((await stop(acme, hook)).status).toBe(200);
    const attempts = await attemptsOf(hook);
    expect(attempts.slice(1)).toEqual(
      Array.from({ length: 4 }, () => ({ id: expect.any(String), outcome: "stopped", error: "stopped" })),
    );
    const { opened } = there.connections;
    await expect.poll(() => there.connections.open).toBe(0);
    expect(held.waiting).toEqual([]);

    // Time passes, the team goes on, and the worker has looked for work: to another endpoint all is sent.
    clock.advance(20 * MINUTE);
    const other = await receiver();
    await subscribe(acme, other.url());
    await veraWrites(acme, { content: "afterwards" });
    await expect.poll(() => other.received.map(textOf)).toEqual(["afterwards"]);
    expect(await attemptsOf(hook)).toEqual(attempts);
    expect(there.connections).toEqual({ opened, open: 0 });
    expect(there.received).toHaveLength(5);
  });

  test("answers at once when nothing is queued, also before the first delivery", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    expect((await stop(acme, hook)).status).toBe(200);
    await veraWrites(acme);
    expect(await query(storage, `SELECT * FROM outbox_items WHERE queue_id = '${hook.id}'`)).toEqual([]);
  });

  test("in the middle of claiming and sending starts no request after the answer", async () => {
    const acme = await team();
    const there = await receiver();
    for (let round = 0; round < 15; round += 1) {
      const hook = await subscribe(acme, there.url(`/${round}`));
      const written = write(acme, 10 + round);
      await expect.poll(() => there.received.some(({ path }) => path === `/${round}`)).toBe(true);
      expect((await stop(acme, hook)).status).toBe(200);
      const attempts = await attemptsOf(hook);
      for (const { outcome } of attempts) expect(outcome).not.toBeNull();
      await written;
      const told = there.received.filter(({ path }) => path === `/${round}`);
      const known = new Set(attempts.map(({ id }) => id));
      expect(told.filter(({ headers }) => !known.has(headers["x-service-delivery-id"]))).toEqual([]);
      expect(await attemptsOf(hook)).toEqual(attempts);
    }
  });

  test("is answered while the storage is away, as soon as nothing is under way", async () => {
    // Breaks after the commit of the change itself: nothing more can be noted.
    let away = false;
    const refuse = async () => {
      throw new StorageUnavailable("It is away.");
    };
    const breaking = await appOn({
      storage: {
        ...storage,
        first: (...asked) => (away ? refuse() : storage.first(...asked)),
        write: async (teamId, work) => {
          if (away) return refuse();
          const before = halting;
          const result = await storage.write(teamId, work);
          away = before;
          return result;
        },
        close: async () => {},
      },
      runtime,
      outbound,
      env: { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" },
    });
    let halting = false;
    await breaking.start();
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    const call = (method: "POST" | "PATCH" | "DELETE", url: string, payload?: object) =>
      breaking.http.inject({
        method,
        url: `/api/v1${url}`,
        headers: { "x-api-key": acme.apiKey },
        ...(payload && { payload }),
      });
    await call("POST", "/conversations", { widget_id: acme.widgetId, content: "Hello?" });
    await expect.poll(() => held.waiting.length).toBe(1);
    halting = true;
    const answer = await (stop === remove ? call("DELETE", hook.path) : call("PATCH", hook.path, { is_active: false }));
    expect(answer.statusCode).toBe(200);
    await expect.poll(() => there.connections.open).toBe(0);
    [away, halting] = [false, false];
    await breaking.close();
  });

  test.runIf(engine === "postgres")("stops what another process sends to it", async () => {
    const acme = await team();
    const { there, hook, held } = await busy(acme);
    const env = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
    const other = await appOn({ storage: await openBeside(storage), runtime, outbound, env });
    const answer = await (stop === remove
      ? other.http.inject({ method: "DELETE", url: `/api/v1${hook.path}`, headers: { "x-api-key": acme.apiKey } })
      : other.http.inject({
          method: "PATCH",
          url: `/api/v1${hook.path}`,
          headers: { "x-api-key": acme.apiKey },
          payload: { is_active: false },
        }));
    expect(answer.statusCode).toBe(200);
    const attempts = await attemptsOf(hook);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["failed", ...Array(4).fill("stopped")]);
    await expect.poll(() => there.connections.open).toBe(0);
    expect(held.waiting).toEqual([]);
    await other.close();
  });
});

describe("a subscription that is switched off", () => {
  test("keeps nothing queued: what waited or was under way is stopped, retries too", async () => {
    const acme = await team();
    const { hook } = await busy(acme);
    await switchOff(acme, hook);
    const found = await hook.deliveries();
    expect(found).toHaveLength(31);
    for (const { attributes } of found) {
      expect(attributes).toMatchObject({ state: "stopped", next_attempt_at: null, ended_at: expect.any(String) });
    }
  });

  test("is sent what happens after it was switched on again, and nothing of before; a replay sends that", async () => {
    const acme = await team();
    const { there, hook } = await busy(acme);
    await switchOff(acme, hook);
    await veraWrites(acme, { content: "while it was off" });
    there.answers(status(200));
    await switchOn(acme, hook);
    clock.advance(20 * MINUTE);
    await veraWrites(acme, { content: "since then" });
    await expect.poll(async () => (await hook.deliveries("state=delivered")).length).toBe(1);
    expect(there.received.slice(5).map(textOf)).toEqual(["since then"]);
    expect((await hook.deliveries("limit=100&state=stopped")).length).toBe(31);

    const { body } = await acme.post(`${hook.path}/replay`, { since: "2026-11-20T09:00:00Z" });
    expect(body).toEqual({ message: "31 deliveries are queued for resending.", replayed: 31 });
    await expect.poll(async () => new Set(await hook.states())).toEqual(new Set(["delivered"]));
    const replayed = there.received.slice(6);
    expect(replayed).toHaveLength(31);
    expect(new Set(replayed.map(({ headers }) => headers["webhook-id"])).size).toBe(31);
    expect(replayed.map(textOf)).not.toContain("while it was off");
  });

  test("and on again at the same moment is sent what happens afterwards, once", async () => {
    const acme = await team();
    const { there, hook } = await busy(acme);
    const before = there.received.length;
    there.answers(status(200));
    // In this order, and most likely in one commit.
    const set = (isActive: boolean) =>
      app.perform(acme.actor, updateWebhook, { webhookId: hook.id, change: { isActive } });
    const message = { widgetId: acme.widgetId, content: "afterwards" };
    await Promise.all([set(false), set(true), app.perform(acme.actor, receiveVisitorMessage, message)]);
    await expect.poll(async () => (await hook.deliveries("state=delivered")).length).toBe(1);
    expect(there.received.slice(before).map(textOf)).toEqual(["afterwards"]);
    const [delivery] = await hook.deliveries("state=delivered");
    expect((await hook.log(delivery?.id as string)).attributes.attempts).toHaveLength(1);
  });
});

test("changing the address sends what is queued, and every retry, to the new one", async () => {
  const acme = await team();
  const [old, next] = [await receiver(), await receiver()];
  const hook = await subscribe(acme, old.url());
  old.answers(status(500));
  await veraWrites(acme);
  await vi.waitFor(async () => expect((await hook.deliveries())[0]?.attributes.attempt).toBe(2), PATIENT);
  await acme.patch(hook.path, { endpoint_url: next.url().href });
  clock.advance(66_000);
  await expect.poll(hook.states).toEqual(["delivered"]);
  expect([old.received.length, next.received.length]).toEqual([1, 1]);
  const { attempts } = (await hook.log((await hook.deliveries())[0]?.id as string)).attributes;
  expect(attempts.map(({ endpoint_url }: { endpoint_url: string }) => endpoint_url)).toEqual([
    old.url().href,
    next.url().href,
  ]);
});
