/**
 * What the outbox guarantees to every kind of receiver (docs/decisions/0037): webhooks over TLS, channel accounts by the
 * pigeon's driver, and a line over TCP whose attempts may outlast a lease and must not be repeated. Two workers on one storage
 * represent two processes.
 */

import { sharedAuthority } from "@frontdesk/testing/certificates";
import { deep } from "@frontdesk/testing/depth";
import { drip, hangUp, namesOf, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { createLineReceiver, LINE_WAITS_MS, type LineAnswer, startLineServer } from "@frontdesk/testing/line-receiver";
import { PATIENT } from "@frontdesk/testing/patient";
import { openLoft } from "@frontdesk/testing/pigeon";
import { query, sqlText } from "@frontdesk/testing/second-app";
import { shortTimeouts } from "@frontdesk/testing/short-timeouts";
import { hold, subscribe, textOf } from "@frontdesk/testing/subscriber";
import { engine, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { pigeonDrivers } from "../../test/pigeon/pigeon-driver.ts";
import { createChannelReceiver } from "../channels/channel-receiver.ts";
import { REPLY_WAITS_MS } from "../channels/reply-waits.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { createWebhookReceiver } from "../webhooks/webhook-receiver.ts";
import { type ClaimRequest, claimItems } from "./claim-items.ts";
import { QUEUE_LEASE_MS, REPLAY_RUN_AT } from "./outbox-item.ts";
import { replayItemRow } from "./outbox-log-store.ts";
import { markQueueDue, markQueuesOf, stopItems } from "./outbox-store.ts";
import { createOutboxWorker, type OutboxWorker } from "./outbox-worker.ts";
import type { QueueName, Receiver } from "./receiver.ts";

// The app does not run: only the workers of a test send.
const kit = await startTestApp({}, undefined, pigeonDrivers);
const { team, clock, storage, runtime } = kit;

const WEBHOOK_WAITS_MS = [3_000, 6_000];
const authority = sharedAuthority();
const outbound = createOutbound({
  allowedNetworks: ["127.0.0.0/8"],
  extraCa: authority.ca,
  lookup: namesOf({ "receiver.test": ["127.0.0.1"] }).lookup,
  timeoutMs: PATIENT.timeout,
});
const ports = new Map<string, number>();
const receivers: Record<"webhook" | "channel" | "line", Receiver> = {
  webhook: createWebhookReceiver({ outbound, runtime, waits: WEBHOOK_WAITS_MS }),
  channel: createChannelReceiver({ drivers: pigeonDrivers, runtime }),
  line: createLineReceiver(ports),
};

/** A queue, and the server that it leads to. */
interface TestQueue extends QueueName {
  team: TestTeam;
  /** The texts that the server was sent, in their order. */
  received(): string[];
  held(): number;
  answers(answer: LineAnswer): void;
  /** Answers those that wait now. */
  letGo(answer?: "accept" | "refuse" | "retry"): void;
  switchOff(): Promise<void>;
  /** Has a text laid into it by what the product does; answers the conversation's contact. Left out: it is done by hand. */
  write?(content: string, contactId?: string): Promise<string>;
}

/** A process that sends until the test ends. */
function worker(before: Partial<typeof storage> = {}): OutboxWorker {
  const joinServers = async () => {};
  const started = createOutboxWorker({
    storage: { ...storage, joinServers, ...before },
    runtime,
    receivers,
    logger: pino({ level: "silent" }),
    timeouts: shortTimeouts,
  });
  started.start();
  onTestFinished(() => started.stop());
  return started;
}

async function webhookQueue(acme: TestTeam): Promise<TestQueue> {
  const there = await startReceiver({ authority });
  onTestFinished(() => there.close());
  const { id } = await subscribe(acme, there.url());
  const held = hold();
  const codes = { accept: 200, refuse: 404, retry: 503 };
  const answer = (how: LineAnswer) => {
    if (how === "hold") return held.answer;
    if (how === "cut") return hangUp;
    if (how === "drip") return drip("HTTP/1.1 2");
    return status(codes[how]);
  };
  return {
    teamId: acme.teamId,
    queueId: id,
    receiver: "webhook",
    team: acme,
    received: () => there.received.map(textOf),
    held: () => held.waiting.length,
    answers: (how) => there.answers(answer(how)),
    letGo: (how = "accept") => held.letGo(status(codes[how])),
    async switchOff() {
      await query(storage, `UPDATE webhooks SET is_active = 0 WHERE id = '${id}'`);
      await stopped(acme.teamId, id);
    },
  };
}

async function lineQueue(acme: TestTeam): Promise<TestQueue> {
  const server = await startLineServer();
  onTestFinished(() => server.close());
  const queueId = runtime.newId();
  ports.set(queueId, server.port);
  onTestFinished(() => void ports.delete(queueId));
  return {
    teamId: acme.teamId,
    queueId,
    receiver: "line",
    team: acme,
    received: () => server.received,
    held: server.held,
    answers: server.answers,
    letGo: server.letGo,
    async switchOff() {
      ports.delete(queueId);
      await stopped(acme.teamId, queueId);
    },
  };
}

async function accountQueue(acme: TestTeam): Promise<TestQueue> {
  const server = await startLineServer({ numbered: true });
  onTestFinished(() => server.close());
  const loft = await openLoft(kit, acme, { settings: { port: server.port } });
  const conversations = new Map<string, string>();
  return {
    teamId: acme.teamId,
    queueId: loft.accountId,
    receiver: "channel",
    team: acme,
    received: () => server.received.map((line) => JSON.parse(line).content),
    held: server.held,
    answers: server.answers,
    letGo: server.letGo,
    async switchOff() {
      await query(storage, `UPDATE channel_accounts SET state = 'paused' WHERE id = '${loft.accountId}'`);
      await stopped(acme.teamId, loft.accountId);
    },
    async write(content, known) {
      if (known) {
        await adaReplies(acme, conversations.get(known) ?? "", { content });
        return known;
      }
      const { contactId, conversationId } = await loft.letter({ ring: `PL-${conversations.size}` });
      conversations.set(contactId, conversationId);
      await adaReplies(acme, conversationId, { content });
      return contactId;
    },
  };
}

/** Nothing of a queue waits any more. */
async function stopped(team_id: string, queue_id: string): Promise<void> {
  await storage.write(team_id, (db) => db.run(stopItems, { team_id, queue_id, ended_at: clock.now() }));
}

/** A text is laid into the queue, for three attempts; answers the conversation's contact. */
async function written(queue: TestQueue, content: string, contact_id?: string): Promise<string> {
  if (queue.write) {
    const contactId = await queue.write(content, contact_id);
    await forThreeAttempts(queue);
    return contactId;
  }
  const { contactId } = await veraWrites(queue.team, { content, ...(contact_id && { contact_id }) });
  if (queue.receiver === "line") {
    const { teamId, queueId } = queue;
    const [event] = await query(
      storage,
      `SELECT id, number FROM events WHERE team_id = '${teamId}' AND name = 'message.received' ORDER BY number DESC LIMIT 1`,
    );
    await query(
      storage,
      `INSERT INTO outbox_items (team_id, queue_id, event_number, receiver, event_id, event_name, order_key, state, attempt,
         last_attempt, run_at, created_at)
       SELECT team_id, '${queueId}', number, 'line', id, name, conversation_id, 'waiting', 1, 3, 0, occurred_at
       FROM events WHERE team_id = '${teamId}' AND number = ${event?.number}`,
    );
    const event_id = String(event?.id);
    await storage.write(teamId, (db) => db.run(markQueuesOf, { team_id: teamId, event_id }));
  } else {
    await forThreeAttempts(queue);
  }
  return contactId;
}

/** Among the team's writes: a worker may take the same rows in another order. */
const forThreeAttempts = ({ teamId, queueId }: TestQueue) =>
  storage.write(teamId, (db) =>
    db.run(sqlText(`UPDATE outbox_items SET last_attempt = 3 WHERE queue_id = '${queueId}'`), {}),
  );

const items = ({ queueId }: TestQueue) =>
  query(storage, `SELECT * FROM outbox_items WHERE queue_id = '${queueId}' ORDER BY event_number`);
const states = async (queue: TestQueue) => (await items(queue)).map(({ state }) => state);
const attempts = ({ queueId }: TestQueue) =>
  query(storage, `SELECT * FROM outbox_attempts WHERE queue_id = '${queueId}' ORDER BY id`);
const stateOf = async ({ queueId }: TestQueue) =>
  (await query(storage, `SELECT * FROM outbox_queues WHERE queue_id = '${queueId}'`))[0] ?? {};

/** Claims for a process that dies before it has written how that went. */
async function diesInTheMiddle(queue: TestQueue) {
  const request: ClaimRequest = {
    ownerId: runtime.newId(),
    ended: [],
    slots: 4,
    ahead: 0,
    from: 0,
    seeksRetries: true,
    underWay: [],
    unsure: false,
  };
  const receiver = receivers[queue.receiver as "line"];
  const outcome = await storage.write(queue.teamId, (db) => claimItems(db, runtime, receiver, queue, request));
  if (outcome.queue !== "ours") throw new Error("It has nothing to do.");
  return outcome.claimed;
}

/** Has a worker look at a queue, as its own look does each second. */
const wake = (by: OutboxWorker, queue: TestQueue) => by.wake(queue.teamId, [queue]);

const kinds = [
  { kind: "webhook", queueOf: webhookQueue, waits: WEBHOOK_WAITS_MS, lost: "resend" },
  {
    ...{ kind: "channel account", queueOf: accountQueue, lost: "unknown" },
    waits: REPLY_WAITS_MS.slice(0, 2),
  },
  { kind: "line", queueOf: lineQueue, waits: LINE_WAITS_MS, lost: "unknown" },
] as const;
/** A channel account differs from a line by its driver, which knows no engine. */
const kindsHere = kinds.filter(({ kind }) => deep || engine === "sqlite" || kind !== "channel account");

describe.each(kindsHere)("a $kind", ({ queueOf, waits, lost }) => {
  test("is sent the items of a conversation one after the other, and those of others meanwhile", async () => {
    const queue = await queueOf(await team());
    queue.answers("hold");
    const vera = await written(queue, "vera 1");
    await written(queue, "vera 2", vera);
    await written(queue, "will 1");
    wake(worker(), queue);
    await expect.poll(queue.held).toBe(2);
    expect(queue.received().toSorted()).toEqual(["vera 1", "will 1"]);
    queue.letGo();
    await expect.poll(queue.received).toContain("vera 2");
    queue.letGo();
    await expect.poll(() => states(queue)).toEqual(["delivered", "delivered", "delivered"]);
    await expect.poll(() => stateOf(queue)).toMatchObject({ owner_id: null, due_at: null, failures: 0 });
  });

  test("is sent again after its own waits, as often as its item says, and not a millisecond early", async () => {
    const queue = await queueOf(await team());
    queue.answers("retry");
    await written(queue, "Hello?");
    const by = worker();
    wake(by, queue);
    for (const [index, wait] of waits.entries()) {
      await expect.poll(async () => (await items(queue))[0]).toMatchObject({ state: "waiting", attempt: index + 2 });
      const dueAt = Number((await items(queue))[0]?.run_at);
      expect(dueAt - clock.now()).toBeGreaterThanOrEqual(wait);
      expect(dueAt - clock.now()).toBeLessThanOrEqual(wait * 1.1);
      // The look over all teams finds it then, and not before.
      await expect.poll(() => stateOf(queue)).toMatchObject({ owner_id: null, due_at: dueAt });
      clock.advance(dueAt - clock.now() - 1);
      wake(by, queue);
      await expect.poll(async () => Number((await stateOf(queue)).due_at)).toBe(dueAt);
      expect(queue.received()).toHaveLength(index + 1);
      clock.advance(1);
      wake(by, queue);
      await expect.poll(() => queue.received().length).toBe(index + 2);
    }
    await expect.poll(() => states(queue)).toEqual(["failed"]);
    await expect.poll(() => stateOf(queue)).toMatchObject({ owner_id: null, due_at: null, failures: 3 });
    expect((await attempts(queue)).map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed"]);
  });

  test("that refuses an item is not sent it again, until a replay is asked for", async () => {
    const queue = await queueOf(await team());
    queue.answers("refuse");
    await written(queue, "Hello?");
    const by = worker();
    wake(by, queue);
    await expect.poll(() => states(queue)).toEqual(["failed"]);
    queue.answers("accept");
    await replayed(queue);
    wake(by, queue);
    await expect.poll(() => states(queue)).toEqual(["delivered"]);
    expect(queue.received()).toEqual(["Hello?", "Hello?"]);
    expect((await attempts(queue)).map(({ outcome, attempt }) => [outcome, Number(attempt)])).toEqual([
      ["failed", 1],
      ["delivered", 1],
    ]);
  });

  test("that cuts the connection after it has read an item has it sent again, or has it unknown, as its kind says", async () => {
    const queue = await queueOf(await team());
    queue.answers("cut");
    await written(queue, "Hello?");
    const by = worker();
    wake(by, queue);
    if (lost === "resend") {
      await expect.poll(async () => (await items(queue))[0]).toMatchObject({ state: "waiting", attempt: 2 });
      return;
    }
    await expect.poll(() => states(queue)).toEqual(["unknown"]);
    expect(await attempts(queue)).toMatchObject([{ outcome: "unknown", error: "cut" }]);
    await expect.poll(() => stateOf(queue)).toMatchObject({ owner_id: null, due_at: null });
    queue.answers("accept");
    clock.advance(24 * 60 * 60_000);
    await written(queue, "and then");
    wake(by, queue);
    await expect.poll(() => states(queue)).toEqual(["unknown", "delivered"]);
    expect(queue.received()).toEqual(["Hello?", "and then"]);
    await replayed(queue);
    wake(by, queue);
    await expect.poll(() => states(queue)).toEqual(["delivered", "delivered"]);
  });

  test("whose process has died is taken over when the lease ends, and not before", async () => {
    const queue = await queueOf(await team());
    await written(queue, "Hello?");
    const [dead] = await diesInTheMiddle(queue);
    const by = worker();
    clock.advance(QUEUE_LEASE_MS - 1);
    wake(by, queue);
    // Its claim has been refused when a later one of the same team is through.
    const other = await queueOf(queue.team);
    await written(other, "other");
    wake(by, other);
    await expect.poll(other.received).toContain("other");
    expect((await states(queue))[0]).toBe("sending");
    clock.advance(1);
    wake(by, queue);
    const after = lost === "resend" ? "delivered" : "unknown";
    await expect.poll(async () => (await states(queue))[0]).toBe(after);
    const sent = queue.received().filter((text) => text === "Hello?");
    expect(sent).toHaveLength(lost === "resend" ? 1 : 0);
    const [first, again] = await attempts(queue);
    expect(first).toMatchObject({ id: dead?.attemptId, outcome: null });
    if (lost === "resend") expect(again).toMatchObject({ outcome: "delivered" });
    else expect(again).toBeUndefined();
  });

  test("that two processes send to at the same time is sent each item once", async () => {
    const acme = await team();
    const queues = [await queueOf(acme), await queueOf(await team())];
    const processes = [worker(), worker()];
    for (let number = 0; number < 15; number += 1) {
      for (const queue of queues) await written(queue, `text ${number}`);
      for (const by of processes) for (const queue of queues) wake(by, queue);
    }
    for (const queue of queues) {
      await expect.poll(() => states(queue)).toEqual(Array(15).fill("delivered"));
      expect(queue.received().toSorted()).toEqual(Array.from({ length: 15 }, (_, n) => `text ${n}`).toSorted());
      expect(await attempts(queue)).toHaveLength(15);
    }
  });

  test("that never answers holds up no other queue, of its team or of another", async () => {
    const acme = await team();
    const deaf = await queueOf(acme);
    deaf.answers("hold");
    const [same, others] = [await queueOf(acme), await queueOf(await team())];
    const by = worker();
    for (let number = 0; number < 8; number += 1) await written(deaf, `deaf ${number}`);
    wake(by, deaf);
    await expect.poll(deaf.held).toBeGreaterThan(0);
    for (const queue of [same, others]) {
      for (let number = 0; number < 8; number += 1) await written(queue, `text ${number}`);
      wake(by, queue);
    }
    for (const queue of [same, others]) await expect.poll(() => queue.received().length).toBeGreaterThanOrEqual(8);
    expect(deaf.held()).toBeGreaterThan(0);
    await deaf.switchOff();
    await by.halt(acme.teamId, deaf);
  });

  test("that is switched off is sent nothing any more when the halt has resolved", async () => {
    const queue = await queueOf(await team());
    queue.answers("hold");
    for (let number = 0; number < 6; number += 1) await written(queue, `text ${number}`);
    const by = worker();
    wake(by, queue);
    await expect.poll(queue.held).toBeGreaterThan(1);
    await queue.switchOff();
    await by.halt(queue.teamId, queue);
    const sent = queue.received().length;
    expect(await states(queue)).toEqual(Array(6).fill("stopped"));
    expect(await stateOf(queue)).toMatchObject({ owner_id: null });
    const outcomes = (await attempts(queue)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array(sent).fill(lost === "resend" ? "stopped" : "unknown"));
    wake(by, queue);
    await expect.poll(async () => (await stateOf(queue)).due_at).toBe(null);
    expect(queue.received()).toHaveLength(sent);
  });

  test("is left as it is by a worker that stops: what was under way is written, the rest waits for the next one", async () => {
    const queue = await queueOf(await team());
    queue.answers("hold");
    for (let number = 0; number < 6; number += 1) await written(queue, `text ${number}`);
    const first = worker();
    wake(first, queue);
    // All that it sends at first: what had not arrived yet would be held until it is aborted.
    const held = Math.min(6, receivers[queue.receiver as keyof typeof receivers].slots.first);
    await expect.poll(queue.held).toBe(held);
    const stopped = first.stop();
    queue.letGo();
    await stopped;
    expect((await states(queue)).toSorted()).toEqual([
      ...Array(held).fill("delivered"),
      ...Array(6 - held).fill("waiting"),
    ]);
    expect(await stateOf(queue)).toMatchObject({ owner_id: null, due_at: 0 });
    queue.answers("accept");
    wake(worker(), queue);
    await expect.poll(() => states(queue)).toEqual(Array(6).fill("delivered"));
    expect(queue.received()).toHaveLength(6);
  });

  test("whose storage did not confirm a claim is sent its items all the same, once", async () => {
    const queue = await queueOf(await team());
    for (let number = 0; number < 4; number += 1) await written(queue, `text ${number}`);
    let claims = 0;
    const by = worker({
      write: async (teamId, work) => {
        const result = await storage.write(teamId, work);
        if (teamId !== queue.teamId) return result;
        claims += 1;
        if (claims === 1) throw new Error("The connection is gone.");
        return result;
      },
    });
    wake(by, queue);
    await expect.poll(() => states(queue)).toEqual(Array(4).fill("delivered"));
    expect(queue.received().toSorted()).toEqual(["text 0", "text 1", "text 2", "text 3"]);
  });

  /** As `POST /webhooks/{id}/replay` does, of all that did not arrive. */
  async function replayed(queue: TestQueue): Promise<void> {
    const name = { team_id: queue.teamId, queue_id: queue.queueId };
    const [item] = (await items(queue)).filter(({ state }) => state !== "delivered");
    const event_number = Number(item?.event_number);
    await storage.write(queue.teamId, async (db) => {
      await db.run(replayItemRow, { ...name, event_number, run_at: REPLAY_RUN_AT });
      await db.run(markQueueDue, { ...name, due_at: REPLAY_RUN_AT });
    });
  }
});

test("an attempt that takes longer than a lease keeps it, so that no other process sends the item", async () => {
  const queue = await lineQueue(await team());
  queue.answers("hold");
  await written(queue, "a long one");
  wake(worker(), queue);
  await expect.poll(queue.held).toBe(1);
  const other = worker();
  const leaseUntil = async () => Number((await stateOf(queue)).lease_until);
  for (let renewed = 0; renewed < 3; renewed += 1) {
    const before = await leaseUntil();
    clock.advance(QUEUE_LEASE_MS - 1_000);
    await expect.poll(leaseUntil).toBeGreaterThan(before);
    wake(other, queue);
  }
  queue.letGo();
  await expect.poll(() => states(queue)).toEqual(["delivered"]);
  expect(queue.received()).toEqual(["a long one"]);
  expect(await attempts(queue)).toMatchObject([{ outcome: "delivered", result: '{"answer":"+"}' }]);
});

test("an answer that drips keeps a line until its queue is switched off, and is then unknown", async () => {
  const queue = await lineQueue(await team());
  queue.answers("drip");
  await written(queue, "Hello?");
  const by = worker();
  wake(by, queue);
  await expect.poll(() => queue.received().length).toBe(1);
  expect(await states(queue)).toEqual(["sending"]);
  await queue.switchOff();
  await by.halt(queue.teamId, queue);
  expect(await attempts(queue)).toMatchObject([{ outcome: "unknown", error: "aborted" }]);
});

test("a queue of a kind that this program does not know is left alone, and holds up no other", async () => {
  const acme = await team();
  const [unknown, known] = [await lineQueue(acme), await lineQueue(acme)];
  await written(unknown, "for a newer program");
  await query(storage, `UPDATE outbox_queues SET receiver = 'newer' WHERE queue_id = '${unknown.queueId}'`);
  await written(known, "Hello?");
  // Found by the look, without having been woken.
  worker();
  await expect.poll(() => states(known)).toEqual(["delivered"]);
  expect(await states(unknown)).toEqual(["waiting"]);
});
