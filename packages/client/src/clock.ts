/** Time and random numbers for the live stream and the outbox, so that a test can control both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something in `ms` milliseconds; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
  /** At least 0, less than 1. */
  random(): number;
}

const SHORTEST_WAIT_MS = 250;
const FIRST_STEP_MS = 500;
const LONGEST_STEP_MS = 30_000;

export const wallClock: Clock = {
  now: Date.now,
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** A single failed request counts as this many failures: it waits some seconds, the same each time. */
const SINGLE_REQUEST = 3;

/** Runs something again after so many failures; the returned function cancels it. */
export function retryLater(clock: Clock, act: () => void, failures = SINGLE_REQUEST): () => void {
  return clock.after(retryWaitMs(failures, clock.random), act);
}

/** The wait after so many failures: "full jitter", so that clients that lost the same server do not all reconnect at once. */
export function retryWaitMs(failures: number, random: () => number): number {
  return SHORTEST_WAIT_MS + random() * Math.min(LONGEST_STEP_MS, FIRST_STEP_MS * 2 ** failures);
}
