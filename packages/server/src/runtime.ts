import { randomBytes } from "node:crypto";
import type { Vault } from "./access/vault.ts";
import type { Runtime } from "./context.ts";
import { uuidv7 } from "./ids.ts";

/** The clocks, ids and randomness of this process (invariant 7). A test passes in its own clock. */
export function createRuntime(vault: Vault, now: () => number = Date.now, steadyNow: () => number = now): Runtime {
  return { now, steadyNow, newId: uuidv7(now), random: randomBytes, vault };
}

/** How often a steady clock is compared with its reference. */
const FOLLOW_MS = 15_000;

export interface SteadyClock {
  /** Ms since the epoch. */
  now(): number;
  set(time: number): void;
}

/** A clock that runs on evenly from `start` (ms since the epoch), whatever is done to the machine's own. */
export function steadyClock(start: number): SteadyClock {
  let origin = start - performance.now();
  return {
    now: () => Math.round(origin + performance.now()),
    set(time) {
      origin = time - performance.now();
    },
  };
}

/**
 * Keeps a steady clock equal to the one that all processes of a database share, until the returned function is called. It would
 * differ after its machine sleeps, and for good from processes that start after the shared clock was set: they would take one
 * another for dead.
 */
export function follow(clock: SteadyClock, shared: () => Promise<number>): () => void {
  const timer = setInterval(() => void shared().then(clock.set, stays), FOLLOW_MS).unref();
  return () => clearInterval(timer);
}

/** The database is away: until it is back nothing is claimed. */
const stays = (): void => {};
