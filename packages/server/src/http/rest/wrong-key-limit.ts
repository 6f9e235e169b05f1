import { Refusal } from "@frontdesk/core/domain/refusal";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";

/**
 * Limits failed authentications by address: 60 in any minute are 401, those above are 429 until one is free again (decision
 * A31). It is checked after the key was looked up, so that a valid key is never refused for other clients behind the same
 * address.
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
