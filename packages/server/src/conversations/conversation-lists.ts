import type { Context } from "../context.ts";
import type { TimedList } from "../lists/list-start.ts";
import type { ConversationRow } from "../storage/tables.ts";

/** The list that a conversation is in: GET /conversations/all shows the open ones, then the resolved ones. */
export function listOf({ is_resolved }: Pick<ConversationRow, "is_resolved">): TimedList {
  return is_resolved ? "resolved-conversations" : "open-conversations";
}

/** Moves a conversation whose status has changed from one list to the other. */
export function changeList(ctx: Context, before: ConversationRow, after: ConversationRow): void {
  ctx.moveInList(listOf(before), before.last_message_at, undefined);
  ctx.moveInList(listOf(after), undefined, after.last_message_at);
  ctx.count("open_conversations", after.is_resolved ? -1 : 1);
}
