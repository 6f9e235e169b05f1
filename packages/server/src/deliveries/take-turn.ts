import { type AttemptEnding, isSuccess, nextStep } from "@frontdesk/core/domain/retry-schedule";
import type { Machine } from "../context.ts";
import type { Database } from "../storage/database.ts";
import { listParam, numbersParam } from "../storage/dialect.ts";
import type { DeliveryQueueRow } from "../storage/tables.ts";
import { IMPOSSIBLE_LEASE_MS, QUEUE_LEASE_MS } from "./delivery.ts";
import {
  type AttemptEnd,
  type ClaimedRow,
  claimDeliveries,
  type DeliveryEnd,
  type DueDelivery,
  deleteAttempts,
  deliveriesToSend,
  endAttempts,
  firstAttemptsDue,
  firstAttemptsOfOthers,
  insertAttempts,
  leaveQueue,
  listedDeliveries,
  type NewAttempt,
  type QueueToServe,
  queueToServe,
  releaseClaims,
  retriesDue,
  someDeliveries,
  writeAttempts,
  writeQueue,
} from "./delivery-store.ts";
import type { SigningSecrets } from "./signed-request.ts";
import { signingSecrets } from "./signing-secrets.ts";

/** How many more first attempts than are wanted are looked through for conversations that are free. */
const WINDOW = 128;
/** How many of one conversation are claimed ahead, so that a long one leaves room for others. */
const AHEAD_OF_CONVERSATION = 8;
/** Of so many that are claimed, one is kept for what is due again. */
const SHARE_OF_RETRIES = 16;

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
  /** Opens them at the first call for all that were claimed together. Throws when they were sealed with another key. */
  secrets: () => SigningSecrets;
}

/** An attempt that is over. */
export interface EndedAttempt {
  delivery: ClaimedDelivery;
  /** `stopped`: aborted because the subscription was switched off or removed. `unsent`: claimed ahead and given back. */
  ending: AttemptEnding | "stopped" | "unsent";
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
  /** How many more may be claimed for when these have ended. */
  ahead: number;
  /** No first attempt before this event waits, as the turn before has found; 0 when that is not known. */
  from: number;
  /** Whether to look for what is due again; the poll tells when there may be some. */
  seeksRetries: boolean;
  /** What this process has claimed besides `ended`: under way, or to be sent next. */
  underWay: readonly ClaimedDelivery[];
  /** The commit of this process's turn before may have gone through unheard: what it claimed is under way nowhere. */
  unsure: boolean;
  /** How long after an attempt the next one follows, ms. */
  waits: readonly number[];
  /** The longest wait there can be. */
  longestWaitMs: number;
}

export type TurnOutcome =
  /**
   * `more`: another turn would find something to send, as soon as there is a place. `from`, `seeksRetries`: for the next
   * turn of this process, when this one looked for something.
   */
  | { queue: "ours"; claimed: ClaimedDelivery[]; more: boolean; from: number; seeksRetries: boolean }
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
  const wanted = turn.places + turn.ahead;
  const window = WINDOW + wanted;
  const seeksRetries = turn.seeksRetries && wanted > 0;
  const [queue, first, again] = await Promise.all([
    db.first(queueToServe, name),
    wanted > 0 ? db.all(firstAttemptsDue, { ...name, from: turn.from, limit: window }) : [],
    seeksRetries ? db.all(retriesDue, { ...name, now, far: now + turn.longestWaitMs, limit: wanted }) : [],
  ]);
  const writes: Promise<unknown>[] = writeEnds(db, machine, name, turn);

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

  // Another process has had the queue since: what it released waits before where this turn has looked.
  const missesSome = releases || (!ours && turn.from > 0);
  let { chosen, more } = missesSome ? { chosen: [], more: true } : choose(turn, first, again);
  if (!missesSome && first.length === window && chosen.length < wanted) {
    // A few long conversations fill all that was looked at: what lies behind them is not theirs to hold up.
    const but = listParam([...conversationsOf([...first, ...turn.underWay])]);
    const others = await db.all(firstAttemptsOfOthers, { ...name, from: turn.from, limit: window, but });
    ({ chosen, more } = choose(turn, [...first, ...others], again));
  }
  const claimed = chosen.length > 0 ? await claim(db, machine, name, queue, chosen, writes) : [];
  const busy = turn.underWay.length + claimed.length > 0;
  if (ours || abandoned || claimed.length > 0) {
    const lease_until = now + QUEUE_LEASE_MS;
    const state = { ...name, owner_id: busy ? turn.ownerId : null, lease_until, ...health(queue, turn.ended, machine) };
    writes.push(db.run(writeQueue, state));
  }
  await Promise.all(writes);
  // What is given back or released waits before what was found now, and who gives the queue back knows nothing any more.
  const isKnown = busy && !missesSome && !turn.ended.some(isGivenBack);
  return {
    queue: "ours",
    claimed,
    more,
    from: isKnown ? (first[0]?.event_number ?? turn.from) : 0,
    seeksRetries: seeksRetries ? again.length > 0 || missesSome : turn.seeksRetries,
  };
}

const leaseHolds = (until: number, now: number): boolean => until > now && until <= now + IMPOSSIBLE_LEASE_MS;

/**
 * First attempts in order, one for each conversation that has none; then, ahead, more of these conversations; then what is
 * due again. A place in 16 is kept for the latter, so that a busy subscription does not put its retries off for ever.
 */
function choose(
  { places, ahead, underWay, ended }: Turn,
  first: readonly DueDelivery[],
  again: readonly DueDelivery[],
) {
  const wanted = places + ahead;
  const retries = underWay.filter(({ inOrder }) => !inOrder).length;
  const kept = Math.min(again.length, Math.max(0, Math.ceil(wanted / SHARE_OF_RETRIES) - retries));
  // What was given back goes first in its conversation again, but only in the next turn: this one has not seen it.
  const givenBack = conversationsOf(ended.filter(isGivenBack).map(({ delivery }) => delivery));
  const claimed = new Map<string, number>();
  const isFree = ({ conversation_id }: DueDelivery, most: number): boolean => {
    if (conversation_id === null) return true;
    const already = claimed.get(conversation_id) ?? 0;
    if (already >= most || givenBack.has(conversation_id)) return false;
    claimed.set(conversation_id, already + 1);
    return true;
  };
  for (const { conversation_id, inOrder } of underWay) {
    if (inOrder && conversation_id !== null) claimed.set(conversation_id, (claimed.get(conversation_id) ?? 0) + 1);
  }
  const free = new Set(first.filter((one) => isFree(one, 1)));
  const now = [...free].slice(0, Math.max(0, wanted - kept));
  // Only when no conversation has to wait for its first: otherwise its second could be claimed before it.
  const room = now.length < free.size ? 0 : Math.min(ahead, wanted - kept - now.length);
  const next =
    room > 0 ? first.filter((one) => !free.has(one) && isFree(one, AHEAD_OF_CONVERSATION)).slice(0, room) : [];
  const then = again.slice(0, wanted - now.length - next.length);
  return {
    chosen: [
      ...[...now, ...next].map(({ event_number }) => ({ number: event_number, inOrder: true })),
      ...then.map(({ event_number }) => ({ number: event_number, inOrder: false })),
    ],
    more: free.size > now.length || again.length > then.length,
  };
}

/** The delivery is due again as it was. */
const isGivenBack = ({ ending }: EndedAttempt): boolean => ending === "stopped" || ending === "unsent";

/** Those in which first attempts are, or wait. */
function conversationsOf(deliveries: readonly (DueDelivery & { inOrder?: boolean })[]): Set<string> {
  const ids = deliveries.flatMap(({ conversation_id, inOrder = true }) =>
    inOrder && conversation_id !== null ? [conversation_id] : [],
  );
  return new Set(ids);
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
  const { endpoint_url } = queue;
  const some = someDeliveries(chosen.map(({ number }) => number));
  const attempts = new Map(
    chosen.map(({ number, inOrder }) => [number, { id: `del_${machine.newId().replaceAll("-", "")}`, inOrder }]),
  );
  const begun = [...attempts].map(([event_number, { id }]): NewAttempt => ({ event_number, id }));
  writes.push(
    db.run(claimDeliveries, { ...name, ...some, claim_id: claimId }),
    db.run(insertAttempts, { ...name, ...listedDeliveries(begun), endpoint_url, started_at: startedAt }),
  );
  const rows = await db.all(deliveriesToSend, { ...name, ...some });
  let opened: SigningSecrets | undefined;
  const secrets = () => {
    opened ??= signingSecrets({ ...queue, team_id: name.team_id, id: name.webhook_id }, machine.vault, startedAt);
    return opened;
  };
  return rows.flatMap((row) => {
    const attempt = attempts.get(row.event_number);
    if (!attempt) return [];
    const { id: attemptId, inOrder } = attempt;
    return [{ ...row, claimId, attemptId, endpointUrl: endpoint_url, inOrder, startedAt, secrets }];
  });
}

/** In three statements at most, however many attempts have ended. */
function writeEnds(
  db: Database,
  machine: Machine,
  name: { team_id: string; webhook_id: string },
  { ended, waits }: Turn,
): Promise<unknown>[] {
  const unsent = ended.filter(({ ending }) => ending === "unsent").map(({ delivery }) => attemptOf(delivery));
  const attempts = ended.flatMap((one) => attemptEnd(one));
  const deliveries = ended.map((one) => deliveryEnd(one, waits, machine));
  return [
    ...(unsent.length > 0 ? [db.run(deleteAttempts, { ...name, ...listedDeliveries(unsent) })] : []),
    ...(attempts.length > 0 ? [db.run(writeAttempts, { ...name, ...listedDeliveries(attempts) })] : []),
    ...(deliveries.length > 0 ? [db.run(endAttempts, { ...name, ...listedDeliveries(deliveries) })] : []),
  ];
}

const attemptOf = ({ event_number, attemptId }: ClaimedDelivery): NewAttempt => ({ event_number, id: attemptId });

function attemptEnd({ delivery, ending, durationMs, responseHead, responseBody, ...end }: EndedAttempt): AttemptEnd[] {
  if (ending === "unsent") return [];
  const outcome = ending === "stopped" ? "stopped" : end.error === null ? "delivered" : "failed";
  const { error, status } = end;
  const response = { response_head: responseHead, response_body: responseBody };
  return [{ ...attemptOf(delivery), duration_ms: durationMs, outcome, error, status, ...response }];
}

function deliveryEnd({ delivery, ending }: EndedAttempt, waits: readonly number[], machine: Machine): DeliveryEnd {
  const { event_number, attempt, claimId: claim_id } = delivery;
  // Not its own ending: due again under the same number (decision 40), unless it is stopped already.
  if (ending === "stopped" || ending === "unsent") {
    return { event_number, claim_id, state: "waiting", attempt, run_at: null, ended_at: null };
  }
  // A test event has one attempt, whatever the answer.
  const left = attempt < delivery.last_attempt ? waits : [];
  const isOver = ending.answered && isSuccess(ending.status);
  const next = nextStep(ending, attempt, left, isOver ? 0 : chance(machine));
  switch (next.step) {
    case "delivered":
    case "failed":
      return { event_number, claim_id, state: next.step, attempt, run_at: 0, ended_at: machine.now() };
    case "retry": {
      const run_at = machine.steadyNow() + next.waitMs;
      return { event_number, claim_id, state: "waiting", attempt: attempt + 1, run_at, ended_at: null };
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
    if (ending === "stopped" || ending === "unsent") continue;
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
