import { type ClaimedItem, type ClaimOutcome, type ClaimRequest, claimItems } from "./claim-items.ts";
import { addReady, type Queue } from "./queue-state.ts";
import { breakOff, release, sendReady } from "./send-items.ts";
import type { WorkerParts } from "./worker-parts.ts";

/** The wait after a claim that the storage refused. */
const STORAGE_WAIT_MS = 1_000;

/** One claim of a queue; begins to send what it has claimed. Never rejects. */
export async function claimQueue(parts: WorkerParts, queue: Queue): Promise<void> {
  const { storage, runtime, slots, logger } = parts;
  if (queue.off.signal.aborted && queue.underWay.size === 0) queue.off = new AbortController();
  const request = requestOf(parts, queue);
  const freeSlots = slots.take(request.slots, queue.failing);
  queue.reserved = request.slots;
  // Without a free slot it does not look for what is due.
  queue.woken = request.slots + request.ahead === 0 && !parts.stopped;
  queue.claimedAt = performance.now();
  queue.released = false;
  queue.from = 0;
  queue.seeksRetries = false;
  const began = queue.claimedAt;
  try {
    const outcome = await storage.write(queue.teamId, (db) => claimItems(db, runtime, queue.port, queue, request));
    queue.reserved = 0;
    freeSlots();
    queue.unsure = false;
    queue.port.onCommitted?.(queue.teamId);
    take(parts, queue, outcome, began);
  } catch (error) {
    queue.reserved = 0;
    freeSlots();
    logger.warn({ err: error, queue: queue.queueId }, "Cannot claim or record outbox items.");
    // What has ended is stored nowhere else: the next claim writes it.
    queue.ended.unshift(...request.ended);
    queue.unsure = true;
    queue.seeksRetries = true;
    queue.woken = true;
    queue.refused = true;
    parts.timeouts.after(STORAGE_WAIT_MS, () => {
      queue.refused = false;
      parts.attend(queue);
    });
  }
}

function requestOf({ ownerId, slots, stopped }: WorkerParts, queue: Queue): ClaimRequest {
  const { from, seeksRetries, unsure } = queue;
  const ahead = stopped ? 0 : slots.ahead(queue);
  return {
    ownerId,
    ended: queue.ended.splice(0),
    slots: stopped ? 0 : slots.forClaim(queue),
    ahead,
    from,
    seeksRetries,
    underWay: [...queue.underWay, ...queue.ready],
    unsure,
  };
}

/** @param began start of the claim, on the monotonic clock */
function take(parts: WorkerParts, queue: Queue, outcome: ClaimOutcome, began: number): void {
  queue.leaseUntil = outcome.queue === "ours" ? outcome.leaseUntil : null;
  // This process may not have been notified that the queue was switched off.
  if (outcome.queue === "off") breakOff(parts, queue);
  if (outcome.queue !== "ours") return;
  makeReady(parts, queue, outcome.claimed, began);
  queue.woken ||= outcome.more;
  queue.from = outcome.from;
  queue.seeksRetries ||= outcome.seeksRetries;
}

function makeReady(parts: WorkerParts, queue: Queue, claimed: readonly ClaimedItem[], began: number): void {
  addReady(queue, claimed, began);
  parts.slots.countReady(claimed.length);
  // What was released meanwhile goes first in its order, so these must not be sent before it.
  const maySend = !queue.released && !parts.stopped && !queue.off.signal.aborted;
  if (maySend) sendReady(parts, queue);
  if (!maySend || queue.failing) release(parts, queue);
}
