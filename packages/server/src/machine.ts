import { randomBytes } from "node:crypto";
import type { Vault } from "./access/vault.ts";
import type { Machine } from "./context.ts";
import { uuidv7 } from "./ids.ts";

/** The clocks, ids and randomness of this process (invariant 7). A test hands in a clock that it holds. */
export function createMachine(vault: Vault, now: () => number = Date.now, steadyNow: () => number = now): Machine {
  return { now, steadyNow, newId: uuidv7(now), random: randomBytes, vault };
}

/** A clock that goes on from `start` (ms since the epoch) evenly, whatever is done to the machine's own. */
export function steadyClock(start: number): () => number {
  const origin = start - performance.now();
  return () => Math.round(origin + performance.now());
}
