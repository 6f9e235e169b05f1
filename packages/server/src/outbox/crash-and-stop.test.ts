/**
 * Deliveries when a process dies, sleeps, stops, or loses its storage (docs/decisions/0014; decision 40; reference rows 2, 6, 8
 * and 22). The processes here are apps of their own on one storage: on SQLite two of them would wait for one another's
 * transactions in the same thread.
 */
import { DEFAULT_RETRY_WAITS_MS } from "@frontdesk/core/domain/retry-schedule";
import { inDepth } from "@frontdesk/testing/depth";
import { status } from "@frontdesk/testing/https-receiver";
import { appOn, query } from "@frontdesk/testing/second-app";
import { shortTimeouts } from "@frontdesk/testing/short-timeouts";
import {
  hold,
  type Subscription,
  startAppWithReceivers,
  subscribe,
  TO_RECEIVERS,
  textOf,
} from "@frontdesk/testing/subscriber";
import { engine, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, onTestFinished, test } from "vitest";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { ATTEMPT_TIMEOUT_MS } from "../outbound/post.ts";
import { type Storage, StorageUnavailable } from "../storage/database.ts";
import { createWebhookReceiver } from "../webhooks/webhook-receiver.ts";
import { claimItems } from "./claim-items.ts";
import { QUEUE_LEASE_MS } from "./outbox-item.ts";
import { queuesWithWork } from "./outbox-store.ts";

// This app answers requests and sends nothing: it is never started.
const { app, team, clock, storage, runtime, outbound, receiver } = await startAppWithReceivers();

const UNDER_LOAD = inDepth(80, 200);
/** The attempt of an endpoint that hangs: no shorter, so that it is under way before it ends. */
const HANGS_MS = inDepth(ATTEMPT_TIMEOUT_MS / 2, ATTEMPT_TIMEOUT_MS);

/** As where other servers may be running on the same data, which is never known on PostgreSQL. */
const AMONG_OTHERS: Partial<Storage> = { joinServers: async () => {} };

const webhooks = createWebhookReceiver({
  outbound: createOutbound({ allowedNetworks: [] }),
  runtime,
  waits: DEFAULT_RETRY_WAITS_MS,
});

/** A process that sends, until the test is finished. The given storage methods replace its own. */
async function sender(before: Partial<Storage> = {}, timeoutMs?: number) {
  const own: Storage = { ...storage, ...AMONG_OTHERS, ...before, close: async () => {} };
  const started = await appOn({
    storage: own,
    runtime,
    outbound: { ...outbound, ...(timeoutMs && { timeoutMs }) },
    env: TO_RECEIVERS,
    timeouts: shortTimeouts,
  });
  onTestFinished(() => started.close());
  await started.start();
  return started;
}

const write = (acme: TestTeam, count: number) =>
  Promise.all(Array.from({ length: count }, (_, number) => veraWrites(acme, { content: `Message ${number}` })));

const queueOf = async ({ id }: Subscription) =>
  (await query(storage, `SELECT * FROM outbox_queues WHERE queue_id = '${id}'`))[0];

/** How many deliveries are in each state. */
async function counted({ id }: Subscription): Promise<Record<string, number>> {
  const text = `SELECT state, count(*) AS total FROM outbox_items WHERE queue_id = '${id}' GROUP BY state`;
  return Object.fromEntries((await query(storage, text)).map(({ state, total }) => [state, Number(total)]));
}

const idsOf = (requests: { headers: Record<string, unknown> }[], name: string) =>
  requests.map(({ headers }) => headers[name]);

/** Claims for a process that dies before it sends, or sends and dies before it has noted how that went. */
async function diesInTheMiddle({ teamId }: TestTeam, { id: queueId }: Subscription) {
  const request = {
    ownerId: runtime.newId(),
    ended: [],
    slots: 4,
    ahead: 0,
    from: 0,
    seeksRetries: true,
    underWay: [],
    unsure: false,
  };
  const name = { teamId, queueId, receiver: "webhook" };
  const outcome = await storage.write(teamId, (db) => claimItems(db, runtime, webhooks, name, request));
  if (outcome.queue !== "ours") throw new Error("It has nothing to do.");
  return outcome.claimed;
}

describe("a process that died in the middle of sending", () => {
  test("is taken over when its lease ends, and not before: same event, same attempt number, another del_ id", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const { contactId } = await veraWrites(acme, { content: "1" });
    await veraWrites(acme, { contact_id: contactId, content: "2" });
    const [lost] = await diesInTheMiddle(acme, hook);
    const other = await subscribe(acme, there.url("/other"));
    await sender();
    const looked = async (content: string) => {
      await veraWrites(acme, { content });
      await expect.poll(other.states).toContain("delivered");
      await expect.poll(other.states).not.toContain("waiting");
    };
    clock.advance(QUEUE_LEASE_MS - 1);
    await looked("3");
    expect(there.received.filter(({ path }) => path === "/hook")).toEqual([]);

    clock.advance(1);
    await expect.poll(() => there.received.filter(({ path }) => path === "/hook").length).toBe(3);
    await expect.poll(hook.states).toEqual(["delivered", "delivered", "delivered"]);
    const told = there.received.filter(({ path }) => path === "/hook");
    // In their order all the same.
    expect(told.map(textOf).filter((text) => text !== "3")).toEqual(["1", "2"]);
    const [again] = told.filter((request) => textOf(request) === "1");
    expect(again?.headers).toMatchObject({ "x-service-delivery-attempt": "1", "webhook-id": lost?.event_id });
    expect(again?.headers["x-service-delivery-id"]).not.toBe(lost?.attemptId);
    const { attempt, attempts } = (await hook.log(lost?.event_id as string)).attributes;
    expect(attempt).toBe(1);
    expect(attempts).toMatchObject([
      { id: lost?.attemptId, attempt: 1, outcome: null, error: null, status: null, duration_ms: null, response: null },
      { id: again?.headers["x-service-delivery-id"], attempt: 1, outcome: "delivered", status: 200 },
    ]);
    expect(attempts[0].request.body).toBe(again?.body.toString());
  });

  test.runIf(engine === "sqlite")("is taken over at once by a server that is alone on its file", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    await veraWrites(acme);
    const [lost] = await diesInTheMiddle(acme, hook);
    await sender({ joinServers: storage.joinServers });
    // The clock is stopped: its lease has not ended.
    await expect.poll(hook.states).toEqual(["delivered"]);
    expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(["1"]);
    expect((await hook.log(lost?.event_id as string)).attributes.attempts).toMatchObject([
      { id: lost?.attemptId, outcome: null },
      { outcome: "delivered" },
    ]);

    // The next one on the file leaves it what it sends.
    let alone = false;
    await storage.joinServers(async () => {
      alone = true;
    });
    expect(alone).toBe(false);
  });

  test("has used up none of the four attempts, however often it happens", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    await veraWrites(acme);
    for (let death = 0; death < 5; death += 1) {
      await diesInTheMiddle(acme, hook);
      clock.advance(QUEUE_LEASE_MS);
      // The one that finds it releases it first.
      expect(await diesInTheMiddle(acme, hook)).toEqual([]);
    }
    await sender();
    await expect.poll(hook.states).toEqual(["delivered"]);
    expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(["1"]);
  });
});

test("a process that slept through its lease cannot change what another has done meanwhile", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  const held = hold();
  there.answers(held.answer, status(200));
  const { promise: awake, resolve: wakeUp } = Promise.withResolvers<void>();
  let asleep = false;
  await sender({
    write: async (teamId, work) => {
      if (asleep) await awake;
      return storage.write(teamId, work);
    },
  });
  await veraWrites(acme);
  await expect.poll(() => held.waiting.length).toBe(1);
  asleep = true;
  clock.advance(QUEUE_LEASE_MS);
  await sender();
  await expect.poll(hook.states).toEqual(["delivered"]);
  expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(["1", "1"]);
  expect(new Set(idsOf(there.received, "x-service-delivery-id")).size).toBe(2);

  const [delivery] = await hook.deliveries();
  held.letGo(status(503));
  wakeUp();
  const attempts = async () => (await hook.log(delivery?.id as string)).attributes.attempts;
  await expect.poll(async () => (await attempts())[0].outcome).toBe("failed");
  expect(await hook.deliveries()).toEqual([delivery]);
  expect(there.received).toHaveLength(2);
});

test("a process that has no signal that a subscription is off sees it at its next claim, and stops the rest", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  const held = hold();
  there.answers(held.answer);
  await sender({ hear: () => () => {} });
  await write(acme, 10);
  await expect.poll(() => held.waiting.length).toBe(4);
  const switchedOff = acme.patch(hook.path, { is_active: false });
  await expect.poll(hook.states).not.toContain("sending");
  const [one] = held.waiting.splice(0, 1);
  status(200)(one as (typeof held.waiting)[0]);
  expect((await switchedOff).status).toBe(200);
  expect(await counted(hook)).toEqual({ stopped: 10 });
  const attempts = await query(storage, `SELECT outcome FROM outbox_attempts WHERE queue_id = '${hook.id}'`);
  expect(attempts.map(({ outcome }) => outcome).toSorted()).toEqual(["delivered", "stopped", "stopped", "stopped"]);
  // That of the delivered one may be kept.
  await expect.poll(() => there.connections.open).toBeLessThanOrEqual(1);
  expect(there.received).toHaveLength(4);
});

describe("when the storage", () => {
  test("does not confirm a commit that has gone through, what was claimed in it is sent all the same, once", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    let unheard = 0;
    await write(acme, 6);
    await sender({
      write: async (teamId, work) => {
        const result = await storage.write(teamId, work);
        if (teamId !== acme.teamId || (await hook.states()).every((state) => state === "waiting")) return result;
        unheard += 1;
        if (unheard === 1 || unheard === 3) throw new StorageUnavailable("The connection is gone.");
        return result;
      },
    });
    await expect.poll(hook.states).toEqual(Array(6).fill("delivered"));
    expect(unheard).toBeGreaterThan(3);
    expect(new Set(idsOf(there.received, "webhook-id")).size).toBe(6);
    expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(Array(6).fill("1"));
    expect(await queueOf(hook)).toMatchObject({ owner_id: null });
  });

  test("refuses the claims of four subscriptions, the fifth claims while they wait", async () => {
    const acme = await team();
    const there = await receiver();
    const hooks = await Promise.all(Array.from({ length: 5 }, (_, n) => subscribe(acme, there.url(`/hook-${n}`))));
    await veraWrites(acme);
    let refused = 0;
    let otherWorkWasDone = false;
    const taken: { afterOtherWork: boolean }[] = [];
    await sender({
      write: async (teamId, work) => {
        if (teamId !== acme.teamId) return storage.write(teamId, work);
        if (refused < 4) {
          refused += 1;
          // Another try waits for some time, and this is the next thing that the process does.
          if (refused === 4) setImmediate(() => (otherWorkWasDone = true));
          throw new StorageUnavailable("It is away.");
        }
        taken.push({ afterOtherWork: otherWorkWasDone });
        return storage.write(teamId, work);
      },
    });
    for (const hook of hooks) await expect.poll(hook.states).toEqual(["delivered"]);
    expect(taken[0]).toEqual({ afterOtherWork: false });
  });

  test("is away while attempts end, how they ended is stored when it is back, and nothing is sent twice", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    let away = false;
    let refused = 0;
    const refuse = async () => {
      refused += 1;
      throw new StorageUnavailable("It is away.");
    };
    await sender({
      read: (work) => (away ? refuse() : storage.read(work)),
      first: (...asked) => (away ? refuse() : storage.first(...asked)),
      write: (...asked) => (away ? refuse() : storage.write(...asked)),
    });
    await write(acme, 10);
    await expect.poll(() => held.waiting.length).toBe(4);
    away = true;
    const [failing, ...others] = held.waiting.splice(0);
    status(500)(failing as (typeof others)[0]);
    for (const exchange of others) status(200)(exchange);
    await expect.poll(() => refused).toBeGreaterThan(2);
    expect(new Set(await hook.states())).toEqual(new Set(["sending", "waiting"]));
    there.answers(status(200));
    away = false;
    await expect.poll(async () => (await hook.deliveries("state=delivered")).length).toBe(9);
    const [retry] = await hook.deliveries("state=waiting");
    expect(retry?.attributes).toMatchObject({ attempt: 2, last_attempt: { status: 500 } });
    expect(there.received).toHaveLength(10);
    clock.advance(66_000);
    await expect.poll(async () => (await hook.deliveries("state=delivered")).length).toBe(10);
    expect(there.received).toHaveLength(11);
  });

  test("cannot say whether a subscription is still on, what is under way is left alone", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    let announce = () => {};
    let away = false;
    let asked = 0;
    await sender({
      hear: (_topic, listener) => {
        announce = listener;
        return () => {};
      },
      async read(work) {
        if (!away) return storage.read(work);
        asked += 1;
        throw new StorageUnavailable("It is away.");
      },
    });
    await veraWrites(acme);
    await expect.poll(() => held.waiting.length).toBe(1);
    away = true;
    announce();
    await expect.poll(() => asked).toBeGreaterThan(0);
    held.letGo();
    await expect.poll(hook.states).toEqual(["delivered"]);
    const [delivery] = await hook.deliveries();
    expect((await hook.log(delivery?.id as string)).attributes.attempts).toMatchObject([{ outcome: "delivered" }]);
    expect(there.received).toHaveLength(1);
  });

  // On SQLite all teams write in one line.
  test.runIf(engine === "postgres")("holds up the writes of one team, those of another go on", async () => {
    const [acme, sams] = [await team(), await team()];
    const there = await receiver();
    for (let number = 0; number < 6; number += 1) await subscribe(acme, there.url(`/acme/${number}`));
    const hook = await subscribe(sams, there.url("/sam"));
    const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
    onTestFinished(() => unlock());
    let waiting = 0;
    await veraWrites(acme);
    await sender({
      write: async (teamId, work) => {
        if (teamId === acme.teamId) {
          waiting += 1;
          await unlocked;
        }
        return storage.write(teamId, work);
      },
    });
    await expect.poll(() => waiting).toBe(4);
    await veraWrites(sams);
    await expect.poll(hook.states).toEqual(["delivered"]);
    expect(there.received.map(({ path }) => path)).toEqual(["/sam"]);
    expect(waiting).toBe(4);
    unlock();
    await expect.poll(() => there.received.length).toBe(7);
  });

  test("is slow to answer, it is not asked for work a second time meanwhile", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    onTestFinished(() => answer());
    let asked = 0;
    await sender({
      read: (work) =>
        storage.read((db) => {
          const all: typeof db.all = async (statement, params) => {
            if ((statement as unknown) !== queuesWithWork) return db.all(statement, params);
            asked += 1;
            await answered;
            return db.all(statement, params);
          };
          return work({ ...db, all });
        }),
    });
    await expect.poll(() => asked).toBe(1);
    // Another process has looked several times.
    let looked = 0;
    await sender({
      read: (work) => {
        looked += 1;
        return storage.read(work);
      },
    });
    const before = looked;
    await expect.poll(() => looked).toBeGreaterThan(before + 2);
    expect(asked).toBe(1);
    answer();
    await expect.poll(() => asked).toBeGreaterThan(1);
  });
});

describe("stopping", () => {
  test("under load notes what was under way, gives the queues back, and leaves the rest to the next process: none lost, none twice", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(status(200), status(200), status(200), held.answer);
    await write(acme, UNDER_LOAD);
    const first = await sender();
    await expect.poll(() => held.waiting.length).toBeGreaterThanOrEqual(4);
    const closed = first.close();
    const wereHeld = held.waiting.length;
    // Some more begin before the stop reaches the deliveries; not many.
    const answering = setInterval(() => held.letGo(), 20);
    await closed;
    clearInterval(answering);
    there.answers(status(200));
    const sent = there.received.length;
    expect(await counted(hook)).toEqual({ delivered: sent, waiting: UNDER_LOAD - sent });
    expect(there.received.length).toBeGreaterThanOrEqual(3 + wereHeld);
    expect(there.received.length).toBeLessThan(UNDER_LOAD);
    expect(await queueOf(hook)).toMatchObject({ owner_id: null });
    const unknown = await query(
      storage,
      `SELECT id FROM outbox_attempts WHERE queue_id = '${hook.id}' AND outcome IS NULL`,
    );
    expect(unknown).toEqual([]);

    const second = await sender();
    await expect.poll(() => there.received.length).toBe(UNDER_LOAD);
    await second.close();
    expect(await counted(hook)).toEqual({ delivered: UNDER_LOAD });
    expect(new Set(idsOf(there.received, "webhook-id")).size).toBe(UNDER_LOAD);
    expect(there.received).toHaveLength(UNDER_LOAD);
  });

  test("waits for an attempt that hangs until its time is over, and asks the storage for nothing meanwhile", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    let writes = 0;
    const counted: Storage["write"] = (...asked) => {
      writes += 1;
      return storage.write(...asked);
    };
    const first = await sender({ write: counted }, HANGS_MS);
    await veraWrites(acme);
    await expect.poll(() => held.waiting.length).toBe(1);
    const before = writes;
    await first.close();
    // One for how it ended; one more where the queue was found by looking at the same time.
    expect(writes - before).toBeLessThanOrEqual(3);
    expect((await hook.deliveries())[0]?.attributes).toMatchObject({
      state: "waiting",
      last_attempt: { error: "timeout" },
    });
    expect(await queueOf(hook)).toMatchObject({ owner_id: null });
  });

  test("begins nothing new: what happens afterwards waits for the next process", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    const first = await sender();
    const message = { widgetId: acme.widgetId, content: "Hello?" };
    await first.perform(acme.actor, receiveVisitorMessage, message);
    await expect.poll(() => held.waiting.length).toBe(1);
    const closed = first.close();
    for (let more = 0; more < 5; more += 1) await first.perform(acme.actor, receiveVisitorMessage, message);
    held.letGo();
    await closed;
    expect(await hook.states()).toEqual(["delivered", ...Array(5).fill("waiting")]);
    expect(there.received).toHaveLength(1);
  });
});

test("an app that is not started sends nothing", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  await veraWrites(acme);
  expect(await hook.states()).toEqual(["waiting"]);
  expect(app.http.server.listening).toBe(false);
  expect(there.connections.opened).toBe(0);
});
