import type { ClaimedItem, ClaimRequest, EndedAttempt } from "./claim-items.ts";
import type { DueItem } from "./outbox-store.ts";

/** How many items of one order key are claimed ahead, so that a long conversation leaves room for others. */
const AHEAD_OF_KEY = 8;
/** One claimed item in this many is reserved for what is due again. */
const SHARE_OF_RETRIES = 16;

/** What a claim takes, and in what order; `more`: something was left only because no slot was free. */
export interface Chosen {
  items: { number: number; inOrder: boolean }[];
  more: boolean;
}

/**
 * First attempts in order, one for each order key that has none; then, ahead, more of these keys; then what is due again. One
 * slot in 16 is reserved for the latter, so that a busy queue does not postpone its retries for ever.
 */
export function chooseItems(
  { slots, ahead, underWay, ended }: ClaimRequest,
  first: readonly DueItem[],
  again: readonly DueItem[],
): Chosen {
  const wanted = slots + ahead;
  const retries = underWay.filter(({ inOrder }) => !inOrder).length;
  const kept = Math.min(again.length, Math.max(0, Math.ceil(wanted / SHARE_OF_RETRIES) - retries));
  const mayClaim = keysWithRoom(underWay, ended);
  const free = new Set(first.filter((one) => mayClaim(one, 1)));
  const now = [...free].slice(0, Math.max(0, wanted - kept));
  // Only when no key waits for its first item: otherwise its second could be claimed before it.
  const room = now.length < free.size ? 0 : Math.min(ahead, wanted - kept - now.length);
  const next = room > 0 ? first.filter((one) => !free.has(one) && mayClaim(one, AHEAD_OF_KEY)).slice(0, room) : [];
  const then = again.slice(0, wanted - now.length - next.length);
  return {
    items: [
      ...[...now, ...next].map(({ event_number }) => ({ number: event_number, inOrder: true })),
      ...then.map(({ event_number }) => ({ number: event_number, inOrder: false })),
    ],
    more: free.size > now.length || again.length > then.length,
  };
}

/** Counts what is claimed of each order key. Returns whether another item may be claimed, given a maximum. */
function keysWithRoom(underWay: readonly ClaimedItem[], ended: readonly EndedAttempt[]) {
  // What was released goes first in its order again, but only in the next claim: this one has not read it.
  const released = orderKeysOf(ended.filter(isReleased).map(({ item }) => item));
  const claimed = new Map<string, number>();
  const count = (key: string) => claimed.set(key, (claimed.get(key) ?? 0) + 1);
  for (const { inOrder, order_key } of underWay) if (inOrder && order_key !== null) count(order_key);
  return ({ order_key }: DueItem, most: number): boolean => {
    if (order_key === null) return true;
    if ((claimed.get(order_key) ?? 0) >= most || released.has(order_key)) return false;
    count(order_key);
    return true;
  };
}

/** The item is due again as it was. */
export const isReleased = ({ result }: EndedAttempt): boolean => result === "unsent" || result.outcome === "aborted";

/** The order keys that have first attempts under way or waiting. */
export function orderKeysOf(items: readonly (DueItem & { inOrder?: boolean })[]): Set<string> {
  return new Set(items.flatMap(({ order_key, inOrder = true }) => (inOrder && order_key !== null ? [order_key] : [])));
}
