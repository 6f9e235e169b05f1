import type { Context } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";

/** The conversation's timer follows `snoozed_until`: it is set as long as that is, for that time. */
export function followSnooze(
  ctx: Context,
  before: Pick<ConversationRow, "id" | "snoozed_until">,
  after: Pick<ConversationRow, "snoozed_until">,
): void {
  if (after.snoozed_until === before.snoozed_until) return;
  if (after.snoozed_until === null) ctx.cancelTimer("end-snooze", before.id);
  else ctx.setTimer({ kind: "end-snooze", subjectId: before.id, dueAt: after.snoozed_until });
}
