import type { ClaimedItem } from "./claim-items.ts";
import { freeSlots, noteEnd, type Queue, releaseReady, takeReady } from "./queue-state.ts";
import type { SendResult } from "./receiver.ts";
import type { WorkerParts } from "./worker-parts.ts";

/** Sends ready items as long as there are slots. */
export function sendReady(parts: WorkerParts, queue: Queue): void {
  const { slots, toSend } = parts;
  while (queue.ready.length > 0 && freeSlots(queue) > 0) {
    if (!slots.hasFree(queue.failing)) {
      // Called again as soon as any attempt ends.
      if (slots.hasFree(false)) return;
      return void toSend.add(queue);
    }
    const item = takeReady(queue);
    if (!item) return;
    slots.countReady(-1);
    void send(parts, queue, item);
  }
}

/** Releases what was claimed and not sent. */
export function release({ slots, toSend }: WorkerParts, queue: Queue): void {
  slots.countReady(-releaseReady(queue));
  toSend.delete(queue);
}

/** Aborts what is under way for a queue that is off. */
export function breakOff(parts: WorkerParts, queue: Queue): void {
  queue.off.abort();
  release(parts, queue);
}

/** Sends one item; never rejects. */
async function send(parts: WorkerParts, queue: Queue, item: ClaimedItem): Promise<void> {
  const freeSlot = parts.slots.take(1, queue.failing);
  queue.underWay.add(item);
  const started = performance.now();
  const result = await item.open.send(item, queue.off.signal).catch((error: unknown): SendResult => {
    parts.logger.error({ err: error, queue: queue.queueId, event: item.event_id }, "Cannot send an item.");
    // The receiver has failed to return a result, so the item may have arrived.
    const outcome = queue.port.afterCrash === "unknown" ? "unknown" : "retry";
    return { outcome, error: "internal", durationMs: Math.round(performance.now() - started), answer: null };
  });
  freeSlot();
  noteEnd(queue, { item, result });
  if (queue.failing) release(parts, queue);
  queue.port.onAttempt?.(result.outcome === "aborted" ? "stopped" : (result.error ?? "delivered"));
  parts.attend(queue);
}
