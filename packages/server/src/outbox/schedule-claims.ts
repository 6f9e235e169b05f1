import { claimQueue } from "./claim-queue.ts";
import { QUEUE_LEASE_MS } from "./outbox-item.ts";
import { freeSlots, isBusy, type Queue, readyFor } from "./queue-state.ts";
import { release, sendReady } from "./send-items.ts";
import { type WaitingLines, waitingLines } from "./waiting-lines.ts";
import type { WorkerParts } from "./worker-parts.ts";

/** Items still not sent this long after their claim are released: the queue may have changed since. */
const UNSENT_MS = 500;
/** The minimum time between two claims of a queue, so that a claim carries many. The first one is made at once. */
const CLAIM_INTERVAL_MS = 10;
/**
 * Claims at a time. They wait in one line with the team's other writes: with a claim for each of 1,000 subscriptions of one
 * event, POST /messages waited for all of them (p99 1,236 ms, and 151 ms with this cap, on SQLite). The cap is per team, so
 * that a team whose writes have to wait blocks no other; on SQLite all teams share one line.
 */
const TEAM_CLAIMS = 4;
const ALL_CLAIMS = { sqlite: TEAM_CLAIMS, postgres: 8 * TEAM_CLAIMS };
/** A lease is renewed when at most this much of it is left: a send may take longer than a lease. */
const RENEWED_BELOW_MS = (QUEUE_LEASE_MS * 2) / 3;

/**
 * Decides which queue claims next: queues wait in line for their claims and for slots, so that none waits for another's
 * receiver.
 */
export interface ClaimSchedule {
  attend(queue: Queue): void;
  /** Renews the lease of a queue that has been busy for long without a claim. */
  renew(queue: Queue): void;
  /** Stops claiming and writing. */
  close(): void;
}

/** @param forget called when there is nothing left to do for a queue */
export function scheduleClaims(parts: WorkerParts, forget: (queue: Queue) => void): ClaimSchedule {
  /** Queues that have something to write; they wait only for other claims. */
  const toNote = waitingLines<Queue>();
  /** Queues that want to claim; failing ones have a line and slots of their own. */
  const line = waitingLines<Queue>();
  const failingLine = waitingLines<Queue>();
  let claims = 0;
  const claimsOf = new Map<string, number>();
  let closed = false;

  return {
    attend,
    renew(queue) {
      if (queue.leaseUntil === null || queue.claiming || !isBusy(queue)) return;
      if (queue.leaseUntil - parts.runtime.steadyNow() >= RENEWED_BELOW_MS || !isDue(queue)) return;
      toNote.add(queue);
      proceed();
    },
    close() {
      closed = true;
    },
  };

  function attend(queue: Queue): void {
    if (readyFor(queue) > UNSENT_MS) release(parts, queue);
    if (queue.ready.length > 0 && freeSlots(queue) > 0) parts.toSend.add(queue);
    if (!queue.claiming) {
      const claimsMore = queue.woken && freeSlots(queue) > 0;
      if (queue.ended.length > 0 || (parts.stopped && queue.woken)) {
        if (isDue(queue)) toNote.add(queue);
      } else if (claimsMore && isDue(queue)) {
        (queue.failing ? failingLine : line).add(queue);
      }
    }
    proceed();
  }

  /** Whether its next claim may begin; if not yet, the queue is handled again when it may. */
  function isDue(queue: Queue): boolean {
    if (queue.refused) return false;
    const hurry = parts.stopped || queue.off.signal.aborted;
    const wait = queue.claimedAt + CLAIM_INTERVAL_MS - performance.now();
    if (hurry || wait <= 0) return true;
    queue.timer ??= setTimeout(() => {
      queue.timer = undefined;
      attend(queue);
    }, wait).unref();
    return false;
  }

  function proceed(): void {
    if (closed) return;
    const { slots, toSend } = parts;
    for (const queue of toSend) {
      if (!slots.hasFree(false)) break;
      toSend.delete(queue);
      sendReady(parts, queue);
    }
    startClaims(toNote, () => true);
    startClaims(line, () => slots.hasFree(false));
    startClaims(failingLine, () => slots.hasFree(true));
  }

  function startClaims(lines: WaitingLines<Queue>, hasSlot: () => boolean): void {
    while (claims < ALL_CLAIMS[parts.storage.engine] && hasSlot()) {
      const queue = lines.next((teamId) => (claimsOf.get(teamId) ?? 0) < TEAM_CLAIMS);
      if (!queue) return;
      startClaim(queue);
    }
  }

  function startClaim(queue: Queue): void {
    for (const lines of [toNote, line, failingLine]) lines.delete(queue);
    countClaim(queue, 1);
    queue.claiming = claimQueue(parts, queue).finally(() => {
      countClaim(queue, -1);
      queue.claiming = undefined;
      attend(queue);
      if (queue.claiming || isBusy(queue) || queue.woken) return;
      clearTimeout(queue.timer);
      forget(queue);
    });
  }

  function countClaim({ teamId }: Queue, change: 1 | -1): void {
    claims += change;
    const ofTeam = (claimsOf.get(teamId) ?? 0) + change;
    if (ofTeam === 0) claimsOf.delete(teamId);
    else claimsOf.set(teamId, ofTeam);
  }
}
