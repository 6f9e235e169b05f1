import { Refusal } from "@frontdesk/core/domain/refusal";
import { addressBlock } from "../limits/address-block.ts";
import type { Limits } from "../limits/rate-limiter.ts";
import { takeOrRefuse } from "../limits/take-or-refuse.ts";

/** Requests without a valid key that an address may make in a minute before it is told to wait. */
const MAX_WRONG_KEYS = 60;
const WINDOW_MS = 60_000;
/** Addresses that a process remembers at most, some 8 MB. */
const MAX_ADDRESSES = 10_000;

/**
 * Limits the tries of an API key, by the address they come from (`addressBlock`): 60 in any minute are 401, those above
 * are 429 until one is free again (decision A31). It is asked after the key has been looked up, so that a valid key is
 * never refused for what others behind the same address do.
 *
 * @returns what to do with a failed authentication: it always throws, the refusal itself or `rate-limited`
 */
export function wrongKeyLimit(limits: Limits): (error: unknown, address: string | undefined) => Promise<never> {
  const limiter = limits.limiter("wrong-key", MAX_WRONG_KEYS, WINDOW_MS, MAX_ADDRESSES);
  return async (error, address) => {
    if (error instanceof Refusal && error.reason.name === "not-authenticated") {
      await takeOrRefuse(limiter, addressBlock(address));
    }
    throw error;
  };
}
