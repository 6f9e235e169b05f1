/**
 * What an item of the outbox is: an event on its way to one receiver (docs/decisions/0014, docs/decisions/0037).
 *
 * ```
 * event --> waiting --(claimed)--> sending --(accepted)---------------------------> delivered
 *              ^                    | | | '---(refused, or the last attempt)------> failed
 *              |--(to be retried)---' | '-----(it may have arrived)--------------> unknown
 *              '--(its process died)--'  the same attempt number, a new del_ id; or unknown (`Receiver.afterCrash`)
 *                                        or, where a second copy does no harm, the next attempt (`resendLostAfterMs`)
 *
 * waiting, sending ---(the queue is switched off)---> stopped
 * delivered, failed, stopped, unknown ---(replay)---> waiting, attempt 1
 * ```
 * A queue that is removed takes its items with it. `unknown` is never sent again by itself. What is postponed, or may have
 * arrived and is sent once more, is `waiting`; its last attempt in the log says so.
 */
export type ItemState = "waiting" | "sending" | "delivered" | "failed" | "stopped" | "unknown";

/** How long at most the queues of a process that died are blocked. */
export const QUEUE_LEASE_MS = 15_000;
/**
 * A lease that ends later than this was dated before the clock was set back. The margin is more than the longest lease: the
 * clocks of two processes never agree exactly, and the slower one must not take the other for dead.
 */
export const IMPOSSIBLE_LEASE_MS = 2 * QUEUE_LEASE_MS;
/** When a replay is due: at once, whatever the clock is, and behind the first attempts of newer events, which are due at 0. */
export const REPLAY_RUN_AT = 1;
