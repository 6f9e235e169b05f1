import type { ConversationRow } from "../storage/tables.ts";

type Snooze = Pick<ConversationRow, "snoozed_until" | "snoozed_until_reply" | "woken_at">;

/**
 * ```
 *          snoozed, until a time or until the visitor writes          the time comes, the visitor writes, or on request
 *   awake ---------------------------------------------------> snoozed ------------------------------------------------> woken
 *     ^                                                          | | ^                                                    | |
 *     '------------------------ resolved ------------------------' | '------------------- snoozed again ------------------' |
 *     '------------------------------------------------------------+---------------- replied to, resolved ------------------'
 * ```
 * The timer `end-snooze` fires when the time comes (`snooze-timer.ts`). An agent's reply does not end a snooze: "I have answered,
 * and look at it again on Monday".
 */
export const AWAKE: Snooze = { snoozed_until: null, snoozed_until_reply: 0, woken_at: null };

/** Returns the conversation to the top of the open lists, marked as woken. */
export const woken = (now: number): Snooze => ({ ...AWAKE, woken_at: now });

export function isSnoozed({ snoozed_until, snoozed_until_reply }: Omit<Snooze, "woken_at">): boolean {
  return snoozed_until !== null || snoozed_until_reply === 1;
}

/** What a message changes of the snooze. */
export function snoozeAfter(
  before: Snooze,
  message: { from: "visitor" | "agent"; type: string },
  now: number,
): Partial<Snooze> {
  if (message.from === "visitor") return isSnoozed(before) ? woken(now) : {};
  return message.type === "message" ? { woken_at: null } : {};
}
