import { type AttemptEnding, nextStep } from "@frontdesk/core/domain/retry-schedule";
import type { Machine } from "../context.ts";
import type { Database } from "../storage/database.ts";
import { numbersParam } from "../storage/dialect.ts";
import type { DeliveryQueueRow, WebhookRow } from "../storage/tables.ts";
import { IMPOSSIBLE_LEASE_MS, QUEUE_LEASE_MS } from "./delivery.ts";
import {
  type ClaimedRow,
  claimDeliveries,
  type DueDelivery,
  deliveriesToSend,
  endAttempt,
  firstAttemptsDue,
  insertAttempt,
  leaveQueue,
  type QueueToServe,
  queueToServe,
  releaseClaims,
  retriesDue,
  returnDelivery,
  someDeliveries,
  writeAttempt,
  writeQueue,
} from "./delivery-store.ts";

/** How far ahead first attempts are looked through for conversations that are free. */
const WINDOW = 128;

export interface QueueName {
  teamId: string;
  webhookId: string;
}

/** A delivery that this process is to send now. */
export interface ClaimedDelivery extends ClaimedRow {
  claimId: string;
  /** `del_…` of this attempt. */
  attemptId: string;
  endpointUrl: string;
  /** Whether it is a first attempt, in its conversation's order. */
  inOrder: boolean;
  /** Wall clock, ms since the epoch: the request is signed with it. */
  startedAt: number;
  secrets: Pick<WebhookRow, "secret_sealed" | "next_secret_sealed" | "next_secret_at">;
}

/** An attempt that is over. */
export interface EndedAttempt {
  delivery: ClaimedDelivery;
  /** `stopped`: aborted because the subscription was switched off or removed. */
  ending: AttemptEnding | "stopped";
  durationMs: number;
  error: string | null;
  status: number | null;
  /** JSON, or null when no answer came. */
  responseHead: string | null;
  responseBody: string | null;
}

export interface Turn {
  /** This process, as long as it runs. */
  ownerId: string;
  ended: readonly EndedAttempt[];
  /** How many more may be sent at once. */
  places: number;
  /** What this process has under way besides `ended`. */
  underWay: readonly ClaimedDelivery[];
  /** The commit of this process's turn before may have gone through unheard: what it claimed is under way nowhere. */
  unsure: boolean;
  /** How long after an attempt the next one follows, ms. */
  waits: readonly number[];
  /** The longest wait there can be. */
  longestWaitMs: number;
}

export type TurnOutcome =
  /** `more`: another turn would find something to send, as soon as there is a place. */
  | { queue: "ours"; claimed: ClaimedDelivery[]; more: boolean }
  /** Another process sends; it looks again before it lets go. */
  | { queue: "taken" }
  /** The subscription is switched off or gone. */
  | { queue: "off" };

/**
 * One turn of a queue, in the caller's transaction: writes how attempts ended, claims what is due, keeps or gives back
 * the queue (docs/decisions/0014). Sending follows after the commit.
 */
export async function takeTurn(
  db: Database,
  machine: Machine,
  { teamId: team_id, webhookId: webhook_id }: QueueName,
  turn: Turn,
): Promise<TurnOutcome> {
  const name = { team_id, webhook_id };
  const now = machine.steadyNow();
  const [queue, first, again] = await Promise.all([
    db.first(queueToServe, name),
    turn.places > 0 ? db.all(firstAttemptsDue, { ...name, limit: WINDOW }) : [],
    turn.places > 0 ? db.all(retriesDue, { ...name, now, far: now + turn.longestWaitMs, limit: turn.places }) : [],
  ]);
  const writes: Promise<unknown>[] = turn.ended.flatMap((attempt) => writeEnd(db, machine, name, turn.waits, attempt));

  if (!queue?.is_active) {
    // Whoever switched it off waits until it has no owner.
    if (turn.underWay.length === 0) writes.push(db.run(leaveQueue, { ...name, owner_id: turn.ownerId }));
    await Promise.all(writes);
    return { queue: "off" };
  }
  const ours = queue.owner_id === turn.ownerId;
  if (!ours && queue.owner_id !== null && leaseHolds(queue.lease_until ?? 0, now)) {
    await Promise.all(writes);
    return { queue: "taken" };
  }
  // The owner died in the middle: what it had under way is due again.
  const abandoned = !ours && queue.owner_id !== null;
  const releases = abandoned || (ours && turn.unsure);
  if (releases) {
    const known = ours ? turn.underWay.map(({ event_number }) => event_number) : [];
    writes.push(db.run(releaseClaims, { ...name, but: numbersParam(known) }));
  }

  const { chosen, more } = releases ? { chosen: [], more: true } : choose(turn, first, again);
  const claimed = chosen.length > 0 ? await claim(db, machine, name, queue, chosen, writes) : [];
  if (ours || abandoned || claimed.length > 0) {
    const busy = turn.underWay.length + claimed.length > 0;
    const lease_until = now + QUEUE_LEASE_MS;
    const state = { ...name, owner_id: busy ? turn.ownerId : null, lease_until, ...health(queue, turn.ended, machine) };
    writes.push(db.run(writeQueue, state));
  }
  await Promise.all(writes);
  return { queue: "ours", claimed, more };
}

const leaseHolds = (until: number, now: number): boolean => until > now && until <= now + IMPOSSIBLE_LEASE_MS;

/**
 * First attempts in order, one at a time for each conversation; then what is due again. One place is kept for the latter
 * while none of them is under way, so that a busy subscription does not put its retries off for ever.
 */
function choose({ places, underWay, ended }: Turn, first: readonly DueDelivery[], again: readonly DueDelivery[]) {
  const kept = again.length > 0 && underWay.every(({ inOrder }) => inOrder) ? 1 : 0;
  // What was broken off goes first in its conversation again, but only in the next turn: this one has not seen it.
  const brokenOff = ended.filter(({ ending }) => ending === "stopped").map(({ delivery }) => delivery);
  const inOrder = [...underWay, ...brokenOff].filter((delivery) => delivery.inOrder);
  const busy = new Set(inOrder.map(({ conversation_id }) => conversation_id));
  const free = first.filter(({ conversation_id }) => {
    if (conversation_id === null) return true;
    const isFree = !busy.has(conversation_id);
    busy.add(conversation_id);
    return isFree;
  });
  const now = free.slice(0, Math.max(0, places - kept));
  const then = again.slice(0, places - now.length);
  return {
    chosen: [
      ...now.map(({ event_number }) => ({ number: event_number, inOrder: true })),
      ...then.map(({ event_number }) => ({ number: event_number, inOrder: false })),
    ],
    more: free.length > now.length || again.length > then.length,
  };
}

async function claim(
  db: Database,
  machine: Machine,
  name: { team_id: string; webhook_id: string },
  queue: QueueToServe,
  chosen: readonly { number: number; inOrder: boolean }[],
  writes: Promise<unknown>[],
): Promise<ClaimedDelivery[]> {
  const claimId = machine.newId();
  const startedAt = machine.now();
  const some = someDeliveries(chosen.map(({ number }) => number));
  writes.push(db.run(claimDeliveries, { ...name, ...some, claim_id: claimId }));
  const rows = await db.all(deliveriesToSend, { ...name, ...some });
  const { endpoint_url, secret_sealed, next_secret_sealed, next_secret_at } = queue;
  const inOrder = new Set(chosen.filter((one) => one.inOrder).map(({ number }) => number));
  return rows.map((row) => {
    const attemptId = `del_${machine.newId().replaceAll("-", "")}`;
    const { event_number, attempt } = row;
    const started = { id: attemptId, event_number, attempt, endpoint_url, started_at: startedAt };
    writes.push(db.run(insertAttempt, { ...name, ...started }));
    return {
      ...row,
      claimId,
      attemptId,
      endpointUrl: endpoint_url,
      inOrder: inOrder.has(event_number),
      startedAt,
      secrets: { secret_sealed, next_secret_sealed, next_secret_at },
    };
  });
}

function writeEnd(
  db: Database,
  machine: Machine,
  name: { team_id: string; webhook_id: string },
  waits: readonly number[],
  { delivery, ending, ...attempt }: EndedAttempt,
): Promise<unknown>[] {
  const { event_number, claimId: claim_id, attemptId } = delivery;
  const log = (outcome: string) =>
    db.run(writeAttempt, {
      ...name,
      event_number,
      id: attemptId,
      outcome,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      status: attempt.status,
      response_head: attempt.responseHead,
      response_body: attempt.responseBody,
    });
  // Not its own ending: due again, unless the subscription is off and the delivery is stopped already.
  if (ending === "stopped") return [log("stopped"), db.run(returnDelivery, { ...name, event_number, claim_id })];

  // A test event has one attempt, whatever the answer.
  const left = delivery.attempt < delivery.last_attempt ? waits : [];
  const next = nextStep(ending, delivery.attempt, left, chance(machine));
  const end = (state: { state: string; attempt: number; run_at: number; ended_at: number | null }) =>
    db.run(endAttempt, { ...name, event_number, claim_id, ...state });
  switch (next.step) {
    case "delivered":
    case "failed":
      return [log(next.step), end({ state: next.step, attempt: delivery.attempt, run_at: 0, ended_at: machine.now() })];
    case "retry": {
      const run_at = machine.steadyNow() + next.waitMs;
      return [log("failed"), end({ state: "waiting", attempt: delivery.attempt + 1, run_at, ended_at: null })];
    }
    default:
      return next satisfies never;
  }
}

/** A number from 0 to below 1, from the same source as all chance. */
const chance = (machine: Machine): number => machine.random(4).readUInt32BE() / 2 ** 32;

/** What an operator asks of an endpoint: does it work, and if not, since when. */
function health(
  queue: QueueToServe,
  ended: readonly EndedAttempt[],
  machine: Machine,
): Pick<DeliveryQueueRow, "failures" | "failing_since" | "last_error" | "last_delivered_at"> {
  let { failing_since, last_error, last_delivered_at } = queue;
  let failures = queue.failures ?? 0;
  for (const { ending, error, status } of ended) {
    if (ending === "stopped") continue;
    if (error === null) {
      [failures, failing_since, last_error, last_delivered_at] = [0, null, null, machine.now()];
    } else {
      failures += 1;
      failing_since ??= machine.now();
      last_error = status === null ? error : `${error} ${status}`;
    }
  }
  return { failures, failing_since, last_error, last_delivered_at };
}
