import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { markSeenByVisitor } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Notes that a visitor has seen their conversation up to a sort number. A lower number than before changes nothing, and records
 * nothing. docs/decisions/0020-live-stream.md
 *
 * @throws Refusal `not-found` for the conversation
 */
export const seeMessages: Operation<{ conversationId: string; sortNumber: number }, ConversationRow> = {
  name: "see-messages",
  mode: "write",
  async run(ctx, { conversationId, sortNumber }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    const seen = Math.min(sortNumber, before.last_sort_number);
    if (seen <= before.visitor_seen_number) return before;
    const conversation: ConversationRow = { ...before, visitor_seen_number: seen };
    ctx.write(markSeenByVisitor, { team_id: ctx.teamId, id: conversation.id, visitor_seen_number: seen });
    ctx.record({ name: "conversation.seen", conversation, ...people });
    return conversation;
  },
};
