import { freeSlots, type Queue } from "./queue-state.ts";

/** How many attempts may be under way in this process, and how many of them for queues whose last attempt failed. */
export const ALL_SLOTS = 256;
const FAILING_SLOTS = 128;
/**
 * Items claimed beyond the free slots, so that a claim carries many: what the receiver accepts at its present pace in twice the
 * time between claims, within these bounds; and no more of them for one queue, or in all.
 */
const LEAST_AHEAD_MS = 100;
const MOST_AHEAD_MS = 250;
const MOST_AHEAD = 128;
const ALL_AHEAD = 1_024;

/** The slots of this process: attempts under way, slots reserved for a claim, and items claimed ahead. */
export interface Slots {
  /** Whether a slot is free, for a failing queue or another one. */
  hasFree(failing: boolean): boolean;
  /** How many a claim of the queue may fill. */
  forClaim(queue: Queue): number;
  /** How many it may claim in addition. */
  ahead(queue: Queue): number;
  /** Reserves or takes slots; the returned function releases them, once. */
  take(count: number, failing: boolean): () => void;
  countReady(change: number): void;
}

export function createSlots(): Slots {
  let underWay = 0;
  let failingUnderWay = 0;
  let ready = 0;
  return {
    hasFree: (failing) => underWay < ALL_SLOTS && (!failing || failingUnderWay < FAILING_SLOTS),
    forClaim(queue) {
      const failing = queue.failing ? FAILING_SLOTS - failingUnderWay : ALL_SLOTS;
      return Math.max(0, Math.min(freeSlots(queue), ALL_SLOTS - underWay, failing));
    },
    /** As many as its receiver accepts in a while at the pace since the last claim, when there are plenty of slots. */
    ahead(queue) {
      const isSteady = queue.port.claimsAhead && !queue.failing && !queue.off.signal.aborted;
      if (!isSteady || underWay > ALL_SLOTS / 2) return 0;
      const acknowledged = queue.ended.filter(({ result }) => result !== "unsent" && result.outcome === "accepted");
      const sinceClaim = performance.now() - queue.claimedAt;
      const aheadMs = Math.min(Math.max(2 * sinceClaim, LEAST_AHEAD_MS), MOST_AHEAD_MS);
      const ahead = Math.min(MOST_AHEAD, Math.floor((acknowledged.length / sinceClaim) * aheadMs));
      return Math.max(0, Math.min(ahead - queue.ready.length, ALL_AHEAD - ready));
    },
    take(count, failing) {
      underWay += count;
      if (failing) failingUnderWay += count;
      return () => {
        underWay -= count;
        if (failing) failingUnderWay -= count;
      };
    },
    countReady(change) {
      ready += change;
    },
  };
}
