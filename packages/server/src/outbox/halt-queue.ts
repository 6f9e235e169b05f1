import { setTimeout as delay } from "node:timers/promises";
import { queueState } from "./outbox-store.ts";
import { isBusy, type Queue } from "./queue-state.ts";
import type { QueueName } from "./receiver.ts";
import { breakOff } from "./send-items.ts";
import type { WorkerParts } from "./worker-parts.ts";

/** How often to check whether a queue was given back. */
const LET_GO_POLL_MS = 20;

/**
 * Resolves when nothing of a queue is under way and everything is written, at the latest at `until`, on the monotonic clock.
 */
export async function drained(queue: Queue, until: number): Promise<void> {
  while (performance.now() < until && (isBusy(queue) || queue.claiming)) {
    const soon = delay(LET_GO_POLL_MS);
    await (queue.claiming ? Promise.race([queue.claiming, soon]) : soon);
  }
}

/**
 * Resolves when nothing of a queue, switched off or removed before, is under way in any process. Resolves at the latest when no
 * attempt can be under way any more, since another process may have died or the storage may be away.
 */
export async function haltQueue(
  parts: WorkerParts,
  queues: ReadonlyMap<string, Queue>,
  { teamId, queueId, receiver }: QueueName,
): Promise<void> {
  const until = performance.now() + (parts.receivers[receiver]?.attemptTimeoutMs ?? 0);
  const queue = queues.get(queueId);
  if (queue) {
    breakOff(parts, queue);
    parts.attend(queue);
    await drained(queue, until);
  }
  // Another process is notified by the commit itself.
  while (performance.now() < until) {
    // Unknown while the storage does not answer. The change itself is committed, so its caller must not fail.
    const looked = parts.storage.first(queueState, { team_id: teamId, queue_id: queueId });
    const state = await looked.catch(() => "unknown" as const);
    if (state !== "unknown" && (state?.owner_id == null || state.lease_until <= parts.runtime.steadyNow())) return;
    await delay(LET_GO_POLL_MS);
  }
}

/** Another process has switched a queue off: aborts what this process still sends for it. */
export async function haltSwitchedOff(parts: WorkerParts, queues: ReadonlyMap<string, Queue>): Promise<void> {
  for (const queue of [...queues.values()]) {
    // While the storage does not answer, nothing is claimed either, and attempts under way end by themselves.
    const open = await parts.storage.read((db) => queue.port.open(db, queue)).catch(() => "unknown" as const);
    if (open) continue;
    breakOff(parts, queue);
    queue.woken = true;
    parts.attend(queue);
  }
}
