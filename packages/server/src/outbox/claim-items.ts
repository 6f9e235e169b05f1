import type { Runtime } from "../context.ts";
import type { Database } from "../storage/database.ts";
import { listParam, numbersParam } from "../storage/dialect.ts";
import { insertAttempts, listedItems, type NewAttempt } from "./attempt-store.ts";
import { type Chosen, chooseItems, isReleased, orderKeysOf } from "./choose-items.ts";
import { health, leavesRetry, writeEnds } from "./end-attempts.ts";
import { IMPOSSIBLE_LEASE_MS, QUEUE_LEASE_MS } from "./outbox-item.ts";
import {
  type ClaimedRow,
  claimRows,
  firstAttemptsDue,
  firstAttemptsOfOthers,
  itemsToSend,
  leaveQueue,
  loseClaims,
  type OfQueue,
  queueState,
  releaseClaims,
  resendLostClaims,
  retriesDue,
  someItems,
  writeQueue,
} from "./outbox-store.ts";
import type { OpenQueue, QueueName, Receiver, SendResult } from "./receiver.ts";

/** How many more first attempts than wanted are searched for order keys that are free. */
const WINDOW = 128;

/** An item that this process is to send now. */
export interface ClaimedItem extends ClaimedRow {
  teamId: string;
  queueId: string;
  claimId: string;
  /** `del_…` of this attempt. */
  attemptId: string;
  /** Whether it is a first attempt, in its order. */
  inOrder: boolean;
  /** Wall clock, ms since the epoch. */
  startedAt: number;
  /** The queue as it was at the claim. */
  open: OpenQueue;
}

/** An attempt that is over. */
export interface EndedAttempt {
  item: ClaimedItem;
  /** `unsent`: claimed ahead and released. */
  result: SendResult | "unsent";
}

/** What this process asks for in a claim. */
export interface ClaimRequest {
  /** This process. */
  ownerId: string;
  /** How attempts have ended since the previous claim; to be written. */
  ended: readonly EndedAttempt[];
  /** How many may be sent at once, and how many more may be claimed ahead. */
  slots: number;
  ahead: number;
  /** Where the first attempts begin, as far as this process knows; 0 when it does not. */
  from: number;
  /** Whether to look for what is due again. */
  seeksRetries: boolean;
  /** What this process has claimed and has not ended. */
  underWay: readonly ClaimedItem[];
  /**
   * The previous claim of this process may have been committed without its knowledge: what it claimed is not under way
   * anywhere.
   */
  unsure: boolean;
}

export type ClaimOutcome =
  /**
   * `more`: another claim would find something to send as soon as a slot is free. `from`, `seeksRetries`: for the next claim of
   * this process. `leaseUntil`: null when the queue was given back.
   */
  | {
      queue: "ours";
      claimed: ClaimedItem[];
      more: boolean;
      from: number;
      seeksRetries: boolean;
      leaseUntil: number | null;
    }
  /** Another process sends; it looks again before it gives the queue back. */
  | { queue: "taken" }
  /** The queue is switched off or gone. */
  | { queue: "off" };

/**
 * One claim of a queue, in the caller's transaction: writes how attempts ended, claims what is due, keeps the queue or gives it
 * back (docs/decisions/0014). Sending follows after the commit.
 */
export async function claimItems(
  db: Database,
  runtime: Runtime,
  receiver: Receiver,
  queueName: QueueName,
  request: ClaimRequest,
): Promise<ClaimOutcome> {
  const name = { team_id: queueName.teamId, queue_id: queueName.queueId };
  const now = runtime.steadyNow();
  const wanted = request.slots + request.ahead;
  const window = WINDOW + wanted;
  const seeksRetries = request.seeksRetries && wanted > 0;
  const far = now + receiver.longestWaitMs;
  const [queue, open, first, again] = await Promise.all([
    db.first(queueState, name),
    receiver.open(db, queueName),
    wanted > 0 ? db.all(firstAttemptsDue, { ...name, from: request.from, limit: window }) : [],
    seeksRetries ? db.all(retriesDue, { ...name, now, far, limit: wanted }) : [],
  ]);
  const writes = [...writeEnds(db, runtime, receiver.waits, name, request.ended), ...noteEnds(db, request.ended)];
  const isOurs = queue?.owner_id === request.ownerId;
  const isOthers = !isOurs && typeof queue?.owner_id === "string";
  const isTaken = isOthers && leaseHolds(queue.lease_until, now);
  // The owner died while it was sending: what it had under way is due again, or unknown.
  const isAbandoned = isOthers && !isTaken;

  if (!open || !queue) {
    if (isAbandoned) writes.push(giveUpClaims(db, runtime, receiver, queueName, open));
    // A halt waits until the queue has no owner.
    if (!isTaken && request.underWay.length === 0) writes.push(db.run(leaveQueue, name));
    await Promise.all(writes);
    return { queue: "off" };
  }
  if (isTaken) {
    await Promise.all(writes);
    return { queue: "taken" };
  }
  const isUnsure = isOurs && request.unsure;
  if (isAbandoned) writes.push(giveUpClaims(db, runtime, receiver, queueName, open));
  if (isUnsure) {
    const known = request.underWay.map(({ event_number }) => event_number);
    writes.push(db.run(releaseClaims, { ...name, but: numbersParam(known) }));
  }

  // Another process has had the queue since: what it released is ordered before the point that this claim starts from.
  const missesSome = isAbandoned || isUnsure || (!isOurs && request.from > 0);
  const { items, more } = missesSome
    ? { items: [], more: true }
    : await choose(db, name, { request, window, wanted }, first, again);
  const claimed = items.length > 0 ? await claim(db, runtime, queueName, open, items, writes) : [];
  const busy = request.underWay.length + claimed.length > 0;
  const leaseUntil = busy ? now + QUEUE_LEASE_MS : null;
  // When the owner changes, or what waits for another attempt, the due time is read again.
  const isSettled = isOurs && busy && !missesSome && !seeksRetries && !request.ended.some(leavesRetry);
  writes.push(
    db.run(writeQueue, {
      ...name,
      owner_id: busy ? request.ownerId : null,
      lease_until: leaseUntil ?? 0,
      ...health(queue, request.ended, runtime),
      due_from: isSettled ? null : busy ? 1 : 0,
    }),
  );
  await Promise.all(writes);
  // Released items are ordered before what was found now, and a process that gives the queue back keeps no state of it.
  const isKnown = busy && !missesSome && !request.ended.some(isReleased);
  return {
    queue: "ours",
    claimed,
    more: more || request.ended.some(isReleased),
    from: isKnown ? (first[0]?.event_number ?? request.from) : 0,
    seeksRetries: seeksRetries ? again.length > 0 || missesSome : request.seeksRetries,
    leaseUntil,
  };
}

/** What receivers store about the attempts that have ended. */
const noteEnds = (db: Database, ended: readonly EndedAttempt[]): Promise<unknown>[] =>
  ended.flatMap(({ item, result }) => (result === "unsent" ? [] : (item.open.noteEnd?.(db, item, result) ?? [])));

export const leaseHolds = (until: number, now: number): boolean => until > now && until <= now + IMPOSSIBLE_LEASE_MS;

/** What a dead process had under way. */
async function giveUpClaims(
  db: Database,
  runtime: Runtime,
  receiver: Receiver,
  queue: QueueName,
  open: OpenQueue | undefined,
): Promise<void> {
  const name: OfQueue = { team_id: queue.teamId, queue_id: queue.queueId };
  if (receiver.afterCrash === "resend") {
    await db.run(releaseClaims, { ...name, but: numbersParam([]) });
    return;
  }
  // Not awaited here: its first statement comes before the others, and these before what the claim writes besides.
  const noted = receiver.noteLost?.(db, queue);
  if (open?.resendLostAfterMs !== undefined) {
    await db.run(resendLostClaims, { ...name, run_at: runtime.steadyNow() + open.resendLostAfterMs });
  }
  await Promise.all([db.run(loseClaims, { ...name, ended_at: runtime.now() }), noted]);
}

type Due = Parameters<typeof chooseItems>[1];

async function choose(
  db: Database,
  name: OfQueue,
  { request, window, wanted }: { request: ClaimRequest; window: number; wanted: number },
  first: Due,
  again: Due,
): Promise<Chosen> {
  const chosen = chooseItems(request, first, again);
  if (first.length < window || chosen.items.length >= wanted) return chosen;
  // All rows read belong to a few long conversations: the items behind them must not wait for these.
  const but = listParam([...orderKeysOf([...first, ...request.underWay])]);
  const others = await db.all(firstAttemptsOfOthers, { ...name, from: request.from, limit: window, but });
  return chooseItems(request, [...first, ...others], again);
}

async function claim(
  db: Database,
  runtime: Runtime,
  { teamId, queueId }: QueueName,
  open: OpenQueue,
  chosen: Chosen["items"],
  writes: Promise<unknown>[],
): Promise<ClaimedItem[]> {
  const name = { team_id: teamId, queue_id: queueId };
  const claimId = runtime.newId();
  const startedAt = runtime.now();
  const some = someItems(chosen.map(({ number }) => number));
  const attempts = new Map(
    chosen.map(({ number, inOrder }) => [number, { id: `del_${runtime.newId().replaceAll("-", "")}`, inOrder }]),
  );
  const begun = [...attempts].map(([event_number, { id }]): NewAttempt => ({ event_number, id }));
  writes.push(
    db.run(claimRows, { ...name, ...some, claim_id: claimId }),
    db.run(insertAttempts, { ...name, ...listedItems(begun), address: open.address, started_at: startedAt }),
  );
  const rows = await db.all(itemsToSend, { ...name, ...some });
  await open.load?.(db, rows);
  return rows.flatMap((row) => {
    const attempt = attempts.get(row.event_number);
    if (!attempt) return [];
    const { id: attemptId, inOrder } = attempt;
    return [{ ...row, teamId, queueId, claimId, attemptId, inOrder, startedAt, open }];
  });
}
