/**
 * What a delivery is: an event on its way to one subscription (specification, "Events"; docs/decisions/0014).
 *
 * ```
 * event --> waiting --(claimed)--> sending --(any 2xx)-------------------------> delivered
 *              ^                    | |  '---(final answer, or the last attempt)--> failed
 *              |--(to be retried)---' |
 *              '--(its process died)--'  the same attempt number, a new del_ id
 *
 * waiting, sending ---(the subscription is switched off)---> stopped
 * delivered, failed, stopped ---(replay)---> waiting, attempt 1
 * ```
 * A subscription that is removed takes its deliveries with it.
 */
export type { DeliveryState } from "@frontdesk/core/domain/delivery-state";

/** Three times and more what an attempt takes. A process that dies holds its queues back no longer than this. */
export const QUEUE_LEASE_MS = 15_000;
/**
 * A lease that ends later than this was dated before the clock was set back. Not just after the longest there is: the
 * clocks of two processes are never quite the same, and the slower one must not take the other for dead.
 */
export const IMPOSSIBLE_LEASE_MS = 2 * QUEUE_LEASE_MS;
/**
 * When a replay is due: at once, whatever the clock says, and behind the first attempts of newer events, which are due at 0.
 */
export const REPLAY_RUN_AT = 1;
/** How much of an answer's body is kept for the log. */
export const KEPT_RESPONSE_BYTES = 4_096;
