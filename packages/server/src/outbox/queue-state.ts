import type { ClaimedItem, EndedAttempt } from "./claim-items.ts";
import type { QueueName, Receiver } from "./receiver.ts";

/**
 * A queue that this process has something to do for, in its memory.
 *
 * ```
 *  item:   (a claim) --> ready --(a slot is free)--> under way --> ended --(the next claim writes it)--> gone
 *                          '--(released: off, stopping, failing, or claimed too long ago)--^
 *
 *  queue:  idle --woken--> waits for a claim --> claiming --> nothing ready, under way or ended --> forgotten
 *                              ^------------------'  '-- else, as soon as there is something to claim or to write
 * ```
 * Between two claims the queue is sent from what is ready.
 */
export interface Queue extends QueueName {
  port: Receiver;
  underWay: Set<ClaimedItem>;
  /** Claimed and not begun, in the order of the events. */
  ready: ClaimedItem[];
  /** When the ready items were claimed, on the monotonic clock. */
  readySince: WeakMap<ClaimedItem, number>;
  /** What has ended since the previous claim. */
  ended: EndedAttempt[];
  /** How many may be under way at present; grows with each success, halved by a failure. */
  slots: number;
  failing: boolean;
  /** The claim under way, and how many slots are reserved for it. */
  claiming: Promise<void> | undefined;
  reserved: number;
  /** When the last claim began, on the monotonic clock. */
  claimedAt: number;
  /** The storage has refused a claim: the next one waits a while. */
  refused: boolean;
  timer: NodeJS.Timeout | undefined;
  /** There may be something to claim. */
  woken: boolean;
  /** What the last claim has found for the next one (`ClaimRequest`). */
  from: number;
  seeksRetries: boolean;
  /** Until when this process owns the queue, on the steady clock; null when it does not. */
  leaseUntil: number | null;
  /** Something was released during the claim under way. */
  released: boolean;
  /** The previous claim was not confirmed: it may have been committed all the same. */
  unsure: boolean;
  /** Aborted when the queue is switched off. Nothing is claimed until all aborted attempts have ended. */
  off: AbortController;
}

export function newQueue(name: QueueName, port: Receiver): Queue {
  return {
    ...name,
    port,
    underWay: new Set(),
    ready: [],
    readySince: new WeakMap(),
    ended: [],
    slots: port.slots.first,
    failing: false,
    claiming: undefined,
    reserved: 0,
    claimedAt: Number.NEGATIVE_INFINITY,
    refused: false,
    timer: undefined,
    woken: false,
    from: 0,
    seeksRetries: true,
    leaseUntil: null,
    released: false,
    unsure: false,
    off: new AbortController(),
  };
}

/** How many more of its own slots it may fill. */
export function freeSlots(queue: Queue): number {
  if (queue.off.signal.aborted && queue.underWay.size > 0) return 0;
  return queue.slots - queue.underWay.size - queue.reserved;
}

/** Adds newly claimed items. */
export function addReady(queue: Queue, claimed: readonly ClaimedItem[], since: number): void {
  for (const item of claimed) queue.readySince.set(item, since);
  queue.ready.push(...claimed);
}

/** How long the oldest ready item has been ready, ms; 0 when nothing is. */
export function readyFor(queue: Queue): number {
  const [oldest] = queue.ready;
  return oldest ? performance.now() - (queue.readySince.get(oldest) ?? 0) : 0;
}

/** Whether it has something claimed, or an ending that is not written yet. */
export const isBusy = (queue: Queue): boolean => queue.underWay.size + queue.ready.length + queue.ended.length > 0;

/** Takes the next ready item that may be sent; one slot is reserved for what is due again. */
export function takeReady(queue: Queue): ClaimedItem | undefined {
  const { ready, underWay } = queue;
  const busy = new Set<string | null>();
  let retries = 0;
  for (const { inOrder, order_key } of underWay) {
    if (!inOrder) retries += 1;
    else if (order_key !== null) busy.add(order_key);
  }
  const retry = ready.findIndex(({ inOrder }) => !inOrder);
  const first = ready.findIndex(({ inOrder, order_key }) => inOrder && !busy.has(order_key));
  const next = retry >= 0 && (retries === 0 || first < 0) ? retry : first;
  return next < 0 ? undefined : ready.splice(next, 1)[0];
}

/** Releases the ready items, unsent; the next claim writes it. Returns how many. */
export function releaseReady(queue: Queue): number {
  const released = queue.ready.splice(0);
  for (const item of released) queue.ended.push({ item, result: "unsent" });
  if (released.length > 0) queue.released = true;
  return released.length;
}

/** An attempt has ended: more slots after a success, half as many after a failure, unchanged when it was broken off. */
export function noteEnd(queue: Queue, ended: EndedAttempt): void {
  queue.underWay.delete(ended.item);
  queue.ended.push(ended);
  if (ended.result === "unsent" || ended.result.outcome === "aborted") return;
  const { least, most } = queue.port.slots;
  queue.failing = ended.result.outcome !== "accepted";
  queue.slots = queue.failing ? Math.max(least, Math.floor(queue.slots / 2)) : Math.min(most, queue.slots + 1);
}
