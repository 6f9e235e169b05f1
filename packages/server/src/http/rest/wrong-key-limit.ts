import { Refusal } from "@frontdesk/core/domain/refusal";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";

/**
 * Limits the tries of an API key or a token, by the address they come from: 60 in any minute are 401, those above are 429
 * until one is free again (decision A31). It is asked after the key has been looked up, so that a valid key is never refused
 * for what others behind the same address do.
 *
 * @returns what to do with a failed authentication: it always throws, the refusal itself or `rate-limited`
 */
export function wrongKeyLimit(bounds: StrangerBounds): (error: unknown, address: string | undefined) => Promise<never> {
  return async (error, address) => {
    if (error instanceof Refusal && error.reason.name === "not-authenticated") {
      await bounds.take({ address }, { "wrong-keys": 1 });
    }
    throw error;
  };
}
