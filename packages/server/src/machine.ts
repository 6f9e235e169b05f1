import { randomBytes } from "node:crypto";
import type { Vault } from "./access/vault.ts";
import type { Machine } from "./context.ts";
import { uuidv7 } from "./ids.ts";

/** The clock, ids and randomness of this process (invariant 7). A test hands in a clock that it holds. */
export function createMachine(vault: Vault, now: () => number = Date.now): Machine {
  return { now, newId: uuidv7(now), random: randomBytes, vault };
}
