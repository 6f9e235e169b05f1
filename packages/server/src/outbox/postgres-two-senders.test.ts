/** Two processes send the deliveries of one PostgreSQL (docs/decisions/0014; reference rows 5 and 8): apps with storages and clocks of their own. */
import { randomBytes } from "node:crypto";
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { inDepth } from "@frontdesk/testing/depth";
import { foundTeam } from "@frontdesk/testing/found-team";
import { namesOf, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { PATIENT } from "@frontdesk/testing/patient";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import { appOn, query } from "@frontdesk/testing/second-app";
import { shortTimeouts } from "@frontdesk/testing/short-timeouts";
import { hold, TO_RECEIVERS } from "@frontdesk/testing/subscriber";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { openVault } from "../access/vault.ts";
import type { App } from "../app.ts";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import { createRuntime, steadyClock } from "../runtime.ts";
import { openStorage } from "../storage/open-storage.ts";
import { systemTimeouts } from "../timeouts.ts";
import { createWebhook } from "../webhooks/create-webhook.ts";

const { storage, databaseUrl } = await openTestStorage({ migrated: true });
const vault = openVault(randomBytes(32));
const authority = sharedAuthority();
const outbound = {
  extraCa: authority.ca,
  lookup: namesOf({ "receiver.test": ["127.0.0.1"] }).lookup,
  timeoutMs: PATIENT.timeout,
};

const ROUNDS = inDepth(10, 25);

/** A process that answers and sends, by the clock that `startApp` gives to one. `ahead`: ms. */
async function processOn(url: string | undefined, { ahead = 0, timeouts = systemTimeouts } = {}) {
  const own = openStorage({ databaseUrl: url, dataDir: "" });
  const steady = steadyClock((await own.clock()) + ahead).now;
  const runtime = createRuntime(vault, Date.now, steady);
  const app = await appOn({ storage: own, runtime, outbound, timeouts, env: TO_RECEIVERS });
  await app.start();
  return { app, runtime };
}

async function receiver() {
  const there = await startReceiver({ authority });
  onTestFinished(() => there.close());
  return there;
}

/** An active subscription to the messages of visitors. */
async function subscribe({ app }: { app: App }, actor: { kind: "system"; teamId: string }, url: URL): Promise<string> {
  const asked = { endpointUrl: url.href, events: ["message.received"] as const, name: undefined, isActive: true };
  return (await app.perform(actor, createWebhook, asked)).webhook.id;
}

test("two processes under way at the same time send many deliveries, and not one of them twice", async () => {
  // Their clocks are a little apart, as those of two machines are.
  const [one, two] = [await processOn(databaseUrl), await processOn(databaseUrl, { ahead: -30 })];
  const { actor, widgetId } = await foundTeam(one.app, one.runtime);
  const there = await receiver();
  there.answers(async (exchange) => {
    await new Promise((done) => setTimeout(done, Math.random() * 10));
    status(200)(exchange);
  });
  const hooks = [];
  for (const path of ["/1", "/2", "/3", "/4"]) hooks.push(await subscribe(one, actor, there.url(path)));
  const send = async (which: number, lane: number) => {
    const { app } = which % 2 ? one : two;
    await app.perform(actor, receiveVisitorMessage, { widgetId, content: "Hello?", email: `v${lane}@visitor.test` });
  };
  // Ten visitors, who write through the one and the other; every now and then the queues run empty and change hands.
  for (let round = 1; round <= ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, lane) => send(round + lane, lane)));
    if (round % 5 === 0) await expect.poll(() => there.received.length).toBe(round * 10 * hooks.length);
  }
  const sent = there.received.map(({ path, headers }) => `${path} ${headers["webhook-id"]}`);
  const all = ROUNDS * 10 * hooks.length;
  expect(new Set(sent).size).toBe(all);
  await Promise.all([one.app.close(), two.app.close()]);
  expect(there.received).toHaveLength(all);
  const attempts = await query(
    storage,
    "SELECT attempt, outcome, count(*) AS total FROM outbox_attempts GROUP BY 1, 2",
  );
  expect(attempts).toEqual([{ attempt: 1, outcome: "delivered", total: all }]);
  // The messages of a visitor have arrived in their order, whichever process has sent them.
  for (const path of ["/1", "/2", "/3", "/4"]) {
    for (let lane = 0; lane < 10; lane += 1) {
      const ofLane = there.received
        .filter((request) => request.path === path)
        .map(({ body }) => JSON.parse(body.toString()))
        .filter(({ data }) => data.visitor.email === `v${lane}@visitor.test`);
      const ids = ofLane.map(({ data }) => data.message.id);
      expect(ids).toEqual(ids.toSorted());
    }
  }
});

test("PostgreSQL goes away while attempts are under way: how they ended is stored when it is back, nothing is lost", async () => {
  const cluster = await startPostgres({ fsync: true });
  onTestFinished(() => cluster.stop());
  const own = openStorage({ databaseUrl: cluster.url, dataDir: "" });
  await own.migrate();
  const one = await processOn(cluster.url, { timeouts: shortTimeouts });
  const { actor, widgetId } = await foundTeam(one.app, one.runtime);
  const there = await receiver();
  const held = hold();
  there.answers(held.answer);
  await subscribe(one, actor, there.url());
  const message = { widgetId, content: "Hello?" };
  await Promise.all(Array.from({ length: 20 }, () => one.app.perform(actor, receiveVisitorMessage, message)));
  await expect.poll(() => held.waiting.length).toBe(4);
  await cluster.kill();
  held.letGo();
  await expect.poll(async () => (await one.app.http.inject("/health/ready")).statusCode).toBe(503);
  there.answers(status(200));
  await cluster.restart();
  const delivered = async () => {
    const rows = await query(own, "SELECT state, count(*) AS total FROM outbox_items GROUP BY state").catch(() => []);
    return Object.fromEntries(rows.map(({ state, total }) => [state, Number(total)]));
  };
  await expect.poll(delivered).toEqual({ delivered: 20 });
  expect(new Set(there.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
  expect(there.received).toHaveLength(20);
  await one.app.close();
  expect(await query(own, "SELECT owner_id FROM outbox_queues")).toEqual([{ owner_id: null }]);
  await own.close();
});
