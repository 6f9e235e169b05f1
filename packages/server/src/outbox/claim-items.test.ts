/** One claim of a queue: what goes first, who owns the queue, what an ending changes (docs/decisions/0014). */
import { DEFAULT_RETRY_WAITS_MS, webhookResult } from "@frontdesk/core/domain/retry-schedule";
import { query } from "@frontdesk/testing/second-app";
import { type Subscription, subscribe } from "@frontdesk/testing/subscriber";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { afterEach, describe, expect, test } from "vitest";
import { createOutbound } from "../outbound/outbound.ts";
import { createWebhookReceiver } from "../webhooks/webhook-receiver.ts";
import { type ClaimedItem, type ClaimRequest, claimItems, type EndedAttempt } from "./claim-items.ts";
import { QUEUE_LEASE_MS } from "./outbox-item.ts";

// The app does not run: nothing is claimed but by the test.
const { team, clock, storage, runtime } = await startTestApp();
const outbound = createOutbound({ allowedNetworks: [] });
const receiver = createWebhookReceiver({ outbound, runtime, waits: DEFAULT_RETRY_WAITS_MS });

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const [first, second] = DEFAULT_RETRY_WAITS_MS as [number, number];

// No lease of an imagined process outlives its test.
afterEach(() => clock.advance(2 * DAY));

/** A process that claims. Its clock may be ahead of the test's, and the machine's clock may have been set, in ms. */
function process({ ahead = 0, set = () => 0 }: { ahead?: number; set?: () => number } = {}) {
  const ownerId = runtime.newId();
  const own = { ...runtime, steadyNow: () => clock.now() + ahead, now: () => clock.now() + set() };
  const underWay = new Set<ClaimedItem>();
  let from = 0;
  return {
    ownerId,
    async claim({ teamId }: TestTeam, { id }: Subscription, request: Partial<ClaimRequest> = {}) {
      for (const { item } of request.ended ?? []) underWay.delete(item);
      const whole = {
        ownerId,
        ended: [],
        slots: 4,
        ahead: 0,
        from,
        seeksRetries: true,
        underWay: [...underWay],
        unsure: false,
      };
      const name = { teamId, queueId: id, receiver: "webhook" };
      const outcome = await storage.write(teamId, (db) =>
        claimItems(db, own, receiver, name, { ...whole, ...request }),
      );
      from = outcome.queue === "ours" ? outcome.from : 0;
      if (outcome.queue === "ours") for (const item of outcome.claimed) underWay.add(item);
      return outcome;
    },
  };
}
type Process = ReturnType<typeof process>;

/** What a claim has claimed. */
async function claimedIn(outcome: ReturnType<Process["claim"]>): Promise<ClaimedItem[]> {
  const claim = await outcome;
  if (claim.queue !== "ours") throw new Error(`The queue is ${claim.queue}.`);
  return claim.claimed;
}

/** The visitor's texts in the claimed items. */
const texts = (claimed: readonly ClaimedItem[]) => claimed.map(({ data }) => JSON.parse(data).message.content);

/** An attempt that was answered. */
function ended(item: ClaimedItem, status = 200): EndedAttempt {
  const error = status === 200 ? null : "status";
  const ending = { answered: true, status, retryAfterMs: undefined } as const;
  const answer = { status, head: "{}", body: "", result: null };
  const result = webhookResult(ending, item.attempt, DEFAULT_RETRY_WAITS_MS);
  return { item, result: { ...result, durationMs: 5, error, answer } };
}

/** An attempt that was broken off because the subscription is off. */
function brokenOff(item: ClaimedItem): EndedAttempt {
  return { item, result: { outcome: "aborted", durationMs: 5, error: "stopped", answer: null } };
}

/** Claimed ahead, and released without having been sent. */
const unsent = (item: ClaimedItem): EndedAttempt => ({ item, result: "unsent" });

/** Acme with a subscription. */
async function begin(events = ["message.received"]) {
  const acme = await team();
  return { acme, hook: await subscribe(acme, "https://hooks.acme.test/", { events }) };
}

const queueOf = async ({ id }: Subscription) =>
  (await query(storage, `SELECT * FROM outbox_queues WHERE queue_id = '${id}'`))[0];

describe("first attempts", () => {
  test("go in the order of the events, one at a time for each conversation, as many as there are slots", async () => {
    const { acme, hook } = await begin();
    const [vera, will] = [await veraWrites(acme, { content: "vera 1" }), await veraWrites(acme, { content: "will 1" })];
    await veraWrites(acme, { contact_id: vera.contactId, content: "vera 2" });
    await veraWrites(acme, { contact_id: will.contactId, content: "will 2" });
    for (const who of ["xena", "yuri", "zoe"]) await veraWrites(acme, { content: who });
    const here = process();

    const claim = await here.claim(acme, hook);
    expect(claim).toMatchObject({ more: true });
    const claimed = await claimedIn(Promise.resolve(claim));
    expect(texts(claimed)).toEqual(["vera 1", "will 1", "xena", "yuri"]);
    expect(await hook.states()).toEqual(["sending", "sending", "waiting", "waiting", "sending", "sending", "waiting"]);
    const [, ofWill] = claimed as [ClaimedItem, ClaimedItem];
    // Vera's second waits for her first, whatever other items have ended.
    expect(texts(await claimedIn(here.claim(acme, hook, { ended: [ended(ofWill)] })))).toEqual(["will 2", "zoe"]);
    expect(await here.claim(acme, hook)).toMatchObject({ claimed: [], more: false });
  });

  test("of events without a conversation wait for none", async () => {
    const { acme, hook } = await begin(["contact.updated"]);
    const { contactId } = await veraWrites(acme);
    for (const name of ["V", "Ve", "Ver"]) await acme.put(`/contacts/${contactId}`, { name });
    const claimed = await claimedIn(process().claim(acme, hook));
    expect(claimed.map(({ data }) => JSON.parse(data).visitor.name)).toEqual(["V", "Ve", "Ver"]);
  });

  test("behind those of long conversations are found, however many of these wait", async () => {
    const { acme, hook } = await begin();
    const { contactId } = await veraWrites(acme, { content: "vera 1" });
    for (let number = 2; number <= 140; number += 1) {
      await veraWrites(acme, { contact_id: contactId, content: `vera ${number}` });
    }
    for (const who of ["will", "xena"]) await veraWrites(acme, { content: who });
    const here = process();
    const [vera, ...others] = (await claimedIn(here.claim(acme, hook))) as [ClaimedItem];
    expect(texts([vera, ...others])).toEqual(["vera 1", "will", "xena"]);
    expect(texts(await claimedIn(here.claim(acme, hook, { ended: [ended(vera)] })))).toEqual(["vera 2"]);
  });

  test("are not looked for without a slot", async () => {
    const { acme, hook } = await begin();
    await veraWrites(acme);
    expect(await process().claim(acme, hook, { slots: 0 })).toMatchObject({ queue: "ours", claimed: [], more: false });
    expect(await hook.states()).toEqual(["waiting"]);
  });
});

describe("what is claimed ahead", () => {
  /** Vera's and Will's messages, five each, in turns. */
  async function twoConversations() {
    const { acme, hook } = await begin();
    const [vera, will] = [await veraWrites(acme, { content: "vera 1" }), await veraWrites(acme, { content: "will 1" })];
    for (let number = 2; number <= 5; number += 1) {
      await veraWrites(acme, { contact_id: vera.contactId, content: `vera ${number}` });
      await veraWrites(acme, { contact_id: will.contactId, content: `will ${number}` });
    }
    return { acme, hook };
  }

  test("goes on in the order of the events, when each conversation has its first", async () => {
    const { acme, hook } = await twoConversations();
    const here = process();
    const claimed = await claimedIn(here.claim(acme, hook, { slots: 2, ahead: 3 }));
    expect(texts(claimed)).toEqual(["vera 1", "will 1", "vera 2", "will 2", "vera 3"]);
    expect(claimed.every(({ inOrder }) => inOrder)).toBe(true);
    expect(texts(await claimedIn(here.claim(acme, hook, { slots: 0, ahead: 2 })))).toEqual(["will 3", "vera 4"]);
    expect(texts(await claimedIn(here.claim(acme, hook, { slots: 2 })))).toEqual([]);
  });

  test("is nothing of a conversation whose first has to wait for a slot", async () => {
    const { acme, hook } = await twoConversations();
    expect(texts(await claimedIn(process().claim(acme, hook, { slots: 1, ahead: 0 })))).toEqual(["vera 1"]);
  });

  test("is at most eight of one conversation", async () => {
    const { acme, hook } = await begin();
    const { contactId } = await veraWrites(acme, { content: "1" });
    for (let number = 2; number <= 12; number += 1) {
      await veraWrites(acme, { contact_id: contactId, content: String(number) });
    }
    const here = process();
    const claimed = await claimedIn(here.claim(acme, hook, { slots: 4, ahead: 20 }));
    expect(texts(claimed)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
    const again = here.claim(acme, hook, { ended: [ended(claimed[0] as ClaimedItem)], slots: 4, ahead: 20 });
    expect(texts(await claimedIn(again))).toEqual(["9"]);
  });

  test("and released unsent is due as before, ahead of its conversation, and has no attempt in the log", async () => {
    const { acme, hook } = await twoConversations();
    const here = process();
    const claimed = await claimedIn(here.claim(acme, hook, { slots: 2, ahead: 2 }));
    const [vera1, will1, vera2, will2] = claimed as [ClaimedItem, ClaimedItem, ClaimedItem, ClaimedItem];
    // Nothing of these conversations overtakes what the claim releases itself.
    const giving = here.claim(acme, hook, { ended: [ended(vera1), unsent(vera2), unsent(will2)], ahead: 4 });
    // The next claim would find them.
    expect(await giving).toMatchObject({ claimed: [], more: true });
    expect((await hook.states()).slice(0, 5)).toEqual(["delivered", "sending", "waiting", "waiting", "waiting"]);
    expect((await hook.log(vera2.event_id)).attributes).toMatchObject({ attempt: 1, attempts: [] });
    const next = await claimedIn(here.claim(acme, hook, { ended: [ended(will1)] }));
    expect(texts(next)).toEqual(["vera 2", "will 2"]);
    expect(next[0]).toMatchObject({ attempt: 1, inOrder: true });
    expect((await hook.log(vera2.event_id)).attributes.attempts).toMatchObject([{ id: next[0]?.attemptId }]);
  });

  test("has one in sixteen of what is due again", async () => {
    const { acme, hook } = await begin();
    const here = process();
    for (let number = 1; number <= 4; number += 1) await veraWrites(acme, { content: `retry ${number}` });
    const failed = await claimedIn(here.claim(acme, hook));
    await here.claim(acme, hook, { ended: failed.map((one) => ended(one, 503)) });
    clock.advance(2 * MINUTE);
    for (let number = 1; number <= 40; number += 1) await veraWrites(acme, { content: `first ${number}` });
    const claimed = await claimedIn(here.claim(acme, hook, { slots: 16, ahead: 16 }));
    expect(claimed).toHaveLength(32);
    expect(claimed.filter(({ inOrder }) => !inOrder)).toHaveLength(2);
  });
});

describe("what is due again", () => {
  /** A queue with retries that are due, then first attempts. */
  async function bothKinds(retries: number, firsts: number) {
    const { acme, hook } = await begin();
    const here = process();
    for (let number = 1; number <= retries; number += 1) {
      await veraWrites(acme, { content: `retry ${number}` });
      const [failed] = await claimedIn(here.claim(acme, hook));
      await here.claim(acme, hook, { ended: [ended(failed as ClaimedItem, 503)] });
      clock.advance(10_000);
    }
    for (let number = 1; number <= firsts; number += 1) await veraWrites(acme, { content: `first ${number}` });
    clock.advance(2 * MINUTE);
    return { acme, hook, here };
  }

  test("goes behind all first attempts, but for one slot that is kept for it", async () => {
    const { acme, hook, here } = await bothKinds(3, 9);
    const one = await claimedIn(here.claim(acme, hook));
    expect(texts(one).toSorted()).toEqual(["first 1", "first 2", "first 3", "retry 1"]);
    expect(one.filter(({ inOrder }) => inOrder)).toHaveLength(3);
    // While its slot is taken, the others are for first attempts.
    const [again] = one.filter(({ inOrder }) => !inOrder) as [ClaimedItem];
    const two = await claimedIn(here.claim(acme, hook));
    expect(texts(two)).toEqual(["first 4", "first 5", "first 6", "first 7"]);
    const three = await claimedIn(here.claim(acme, hook, { ended: [ended(again)], slots: 1 }));
    expect(texts(three)).toEqual(["retry 2"]);
    const four = await claimedIn(here.claim(acme, hook));
    expect(texts(four).toSorted()).toEqual(["first 8", "first 9", "retry 3"]);
  });

  test("takes all slots when there are no first attempts, the longest due first", async () => {
    const { acme, hook, here } = await bothKinds(6, 0);
    const numbers = (await claimedIn(here.claim(acme, hook))).map(({ event_number }) => event_number);
    const due = await query(
      storage,
      `SELECT event_number FROM outbox_items WHERE queue_id = '${hook.id}' ORDER BY run_at, event_number`,
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      due
        .slice(0, 4)
        .map(({ event_number }) => Number(event_number))
        .toSorted((a, b) => a - b),
    );
  });

  test("is not due before its time, and at once when its time lies further ahead than any wait", async () => {
    const { acme, hook } = await begin();
    const here = process();
    await veraWrites(acme, { content: "Hello?" });
    const [failed] = await claimedIn(here.claim(acme, hook));
    await here.claim(acme, hook, { ended: [ended(failed as ClaimedItem, 503)] });
    clock.advance(first - 1);
    expect(await claimedIn(here.claim(acme, hook))).toEqual([]);
    // The clock was set back, and the program was restarted.
    const afterwards = process({ ahead: -DAY });
    expect(texts(await claimedIn(afterwards.claim(acme, hook)))).toEqual(["Hello?"]);
  });
});

test("setting the machine's clock neither starts a retry nor holds it back; what is signed has the machine's time", async () => {
  const { acme, hook } = await begin();
  let set = 0;
  const here = process({ set: () => set });
  await veraWrites(acme);
  const [failed] = (await claimedIn(here.claim(acme, hook))) as [ClaimedItem];
  expect(failed.startedAt).toBe(clock.now());
  set = 90 * MINUTE;
  await here.claim(acme, hook, { ended: [ended(failed, 503)] });
  for (set of [60 * MINUTE, DAY, -60 * MINUTE]) expect(await claimedIn(here.claim(acme, hook))).toEqual([]);
  set = -DAY;
  clock.advance(first * 1.1);
  const [retry] = (await claimedIn(here.claim(acme, hook))) as [ClaimedItem];
  expect(retry.startedAt).toBe(clock.now() - DAY);
});

describe("an ending", () => {
  test("delivers, fails, or lets it wait with the next number and its time", async () => {
    const { acme, hook } = await begin();
    const here = process();
    for (let number = 0; number < 3; number += 1) await veraWrites(acme);
    const [good, bad, later] = (await claimedIn(here.claim(acme, hook))) as ClaimedItem[];
    const endings = [ended(good as ClaimedItem), ended(bad as ClaimedItem, 404), ended(later as ClaimedItem, 500)];
    await here.claim(acme, hook, { ended: endings });
    const at = new Date(clock.now()).toISOString();
    const [third, failed, delivered] = (await hook.deliveries()).map(({ attributes }) => attributes);
    expect(delivered).toMatchObject({
      state: "delivered",
      attempt: 1,
      ended_at: at,
      last_attempt: { outcome: "delivered" },
    });
    expect(failed).toMatchObject({ state: "failed", attempt: 1, ended_at: at, last_attempt: { outcome: "failed" } });
    expect(third).toMatchObject({ state: "waiting", attempt: 2, ended_at: null, last_attempt: { outcome: "failed" } });
    const dueIn = Date.parse(third?.next_attempt_at) - clock.now();
    expect(dueIn).toBeGreaterThanOrEqual(first);
    expect(dueIn).toBeLessThanOrEqual(first * 1.1);
  });

  test("that was broken off while the subscription is on keeps the attempt's number, and the place in the order", async () => {
    const { acme, hook } = await begin();
    const here = process();
    const { contactId } = await veraWrites(acme, { content: "1" });
    await veraWrites(acme, { contact_id: contactId, content: "2" });
    const [one] = await claimedIn(here.claim(acme, hook));
    await here.claim(acme, hook, { ended: [brokenOff(one as ClaimedItem)] });
    const [again, ...others] = await claimedIn(here.claim(acme, hook));
    expect([again?.attempt, again?.event_id, others]).toEqual([1, one?.event_id, []]);
    expect(again?.attemptId).not.toBe(one?.attemptId);
  });

  test("is counted for the state of the endpoint", async () => {
    const { acme, hook } = await begin();
    const here = process();
    const began = clock.now();
    for (const status of [500, 503, 200]) {
      await veraWrites(acme);
      const [one] = await claimedIn(here.claim(acme, hook));
      clock.advance(1_000);
      await here.claim(acme, hook, { ended: [ended(one as ClaimedItem, status)] });
      if (status !== 503) continue;
      expect(await queueOf(hook)).toMatchObject({
        failures: 2,
        failing_since: began + 1_000,
        last_error: "status 503",
        last_delivered_at: null,
      });
    }
    expect(await queueOf(hook)).toMatchObject({
      failures: 0,
      failing_since: null,
      last_error: null,
      last_delivered_at: clock.now(),
    });
  });
});

describe("a queue", () => {
  test("is held by the process that sends, and given back when nothing is due or under way", async () => {
    const { acme, hook } = await begin();
    const [here, there] = [process(), process()];
    await veraWrites(acme);
    await veraWrites(acme);
    const claimed = (await claimedIn(here.claim(acme, hook, { slots: 1 }))) as [ClaimedItem];
    expect(await queueOf(hook)).toMatchObject({ owner_id: here.ownerId, lease_until: clock.now() + QUEUE_LEASE_MS });
    expect(await there.claim(acme, hook)).toEqual({ queue: "taken" });
    clock.advance(1_000);
    const next = (await claimedIn(here.claim(acme, hook, { ended: [ended(claimed[0])] }))) as [ClaimedItem];
    expect(next).toHaveLength(1);
    expect(await queueOf(hook)).toMatchObject({ owner_id: here.ownerId, lease_until: clock.now() + QUEUE_LEASE_MS });
    await here.claim(acme, hook, { ended: [ended(next[0])] });
    expect(await queueOf(hook)).toMatchObject({ owner_id: null });
    await veraWrites(acme);
    expect(await claimedIn(there.claim(acme, hook))).toHaveLength(1);
  });

  test("is left alone until its lease has ended; then its deliveries are due again, under the same number", async () => {
    const { acme, hook } = await begin();
    const [dead, next] = [process(), process()];
    await veraWrites(acme);
    const [lost] = await claimedIn(dead.claim(acme, hook));
    clock.advance(QUEUE_LEASE_MS - 1);
    expect(await next.claim(acme, hook)).toEqual({ queue: "taken" });
    clock.advance(1);
    expect(await next.claim(acme, hook)).toMatchObject({ queue: "ours", claimed: [], more: true });
    const [again] = await claimedIn(next.claim(acme, hook));
    expect(again).toMatchObject({ event_id: lost?.event_id, attempt: 1, inOrder: true });
    expect(again?.attemptId).not.toBe(lost?.attemptId);
  });

  test("is not taken from a process whose clock is a little ahead, or that has waited for its claim less long", async () => {
    const { acme, hook } = await begin();
    const [ahead, here] = [process({ ahead: 500 }), process()];
    await veraWrites(acme);
    await claimedIn(ahead.claim(acme, hook));
    await veraWrites(acme);
    expect(await here.claim(acme, hook)).toEqual({ queue: "taken" });
    expect(await hook.states()).toEqual(["sending", "waiting"]);
  });

  test("is taken over when its lease ends further ahead than a lease can, as after the clock was set back", async () => {
    const { acme, hook } = await begin();
    const [before, after] = [process({ ahead: DAY }), process()];
    await veraWrites(acme);
    await before.claim(acme, hook);
    expect(await after.claim(acme, hook)).toMatchObject({ queue: "ours", claimed: [], more: true });
    expect(await claimedIn(after.claim(acme, hook))).toHaveLength(1);
  });

  test("cannot be changed by the late ending of a process that has lost it; the attempt is in the log", async () => {
    const { acme, hook } = await begin();
    const [late, quick] = [process(), process()];
    await veraWrites(acme);
    const [stale] = (await claimedIn(late.claim(acme, hook))) as [ClaimedItem];
    clock.advance(QUEUE_LEASE_MS);
    await quick.claim(acme, hook);
    const [newer] = (await claimedIn(quick.claim(acme, hook))) as [ClaimedItem];
    // While the newer one is under way, and when it has ended.
    expect(await late.claim(acme, hook, { ended: [ended(stale, 503)] })).toEqual({ queue: "taken" });
    expect(await hook.states()).toEqual(["sending"]);
    await quick.claim(acme, hook, { ended: [ended(newer)] });
    await late.claim(acme, hook, { ended: [ended(stale, 404)] });
    await late.claim(acme, hook, { ended: [brokenOff(stale)] });
    expect(await hook.states()).toEqual(["delivered"]);
    const { attempts } = (await hook.log(stale.event_id)).attributes;
    expect(attempts.map(({ id }: { id: string }) => id)).toEqual([stale.attemptId, newer.attemptId]);
    expect(attempts[1]).toMatchObject({ outcome: "delivered", status: 200 });
  });

  test("whose last claim was not confirmed has due again what that claimed, and nothing that is under way", async () => {
    const { acme, hook } = await begin();
    const here = process();
    for (let number = 0; number < 3; number += 1) await veraWrites(acme);
    const [known] = (await claimedIn(here.claim(acme, hook, { slots: 1 }))) as [ClaimedItem];
    const [unheard] = (await claimedIn(here.claim(acme, hook, { slots: 1, underWay: [known] }))) as [ClaimedItem];
    expect(await hook.states()).toEqual(["sending", "sending", "waiting"]);
    const again = await here.claim(acme, hook, { underWay: [known], unsure: true });
    expect(again).toMatchObject({ queue: "ours", claimed: [], more: true });
    expect(await hook.states()).toEqual(["sending", "waiting", "waiting"]);
    const [next] = (await claimedIn(here.claim(acme, hook, { underWay: [known], slots: 1 }))) as [ClaimedItem];
    expect(next).toMatchObject({ event_id: unheard.event_id, attempt: 1, inOrder: true });
  });

  test("of a subscription that is switched off is off, and given back when nothing of it is under way", async () => {
    const { acme, hook } = await begin();
    const here = process();
    for (let number = 0; number < 3; number += 1) await veraWrites(acme);
    const claimed = (await claimedIn(here.claim(acme, hook, { slots: 2 }))) as [ClaimedItem, ClaimedItem];
    // By another process, so that nothing waits here.
    await query(storage, `UPDATE webhooks SET is_active = 0 WHERE id = '${hook.id}'`);
    await query(
      storage,
      `UPDATE outbox_items SET state = 'stopped', claim_id = NULL, ended_at = 1 WHERE queue_id = '${hook.id}'`,
    );
    expect(await here.claim(acme, hook, { ended: [ended(claimed[0])] })).toEqual({ queue: "off" });
    expect(await queueOf(hook)).toMatchObject({ owner_id: here.ownerId });
    expect(await here.claim(acme, hook, { ended: [brokenOff(claimed[1])] })).toEqual({ queue: "off" });
    expect(await queueOf(hook)).toMatchObject({ owner_id: null });
    expect(await hook.states()).toEqual(["stopped", "stopped", "stopped"]);
  });
});

test("the waits grow from attempt to attempt, and the fourth failure is the last", async () => {
  const { acme, hook } = await begin();
  const here = process();
  await veraWrites(acme);
  const seen: number[] = [];
  for (const wait of [first, second, 15 * MINUTE, DAY]) {
    const [one] = (await claimedIn(here.claim(acme, hook))) as [ClaimedItem];
    seen.push(one.attempt);
    await here.claim(acme, hook, { ended: [ended(one, 500)] });
    clock.advance(wait * 1.1);
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(await hook.states()).toEqual(["failed"]);
  expect(await claimedIn(here.claim(acme, hook))).toEqual([]);
});
