import { mayBeRated } from "@frontdesk/core/domain/conversation";
import { invalid, notAllowed } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { rateConversationRow } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * A visitor says what they thought of their conversation, once it has been resolved. A later word takes the place of an
 * earlier one, its comment too; the same word again changes nothing. docs/decisions/0024-care-for-visitors.md
 *
 * @throws Refusal `not-found` for the conversation, `not-allowed` for a visitor whom the team has blocked, `invalid` on
 * `conversation_id` for one that was never resolved
 */
export const rateConversation: Operation<
  { conversationId: string; rating: number; comment: string | undefined },
  ConversationRow
> = {
  name: "rate-conversation",
  mode: "write",
  async run(ctx, { conversationId, rating, comment }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (people.contact.blocked_at !== null) {
      throw notAllowed("visitor-blocked");
    }
    if (!mayBeRated(before)) throw invalid({ conversation_id: "conversation-not-resolved" });
    const said = { rating, rating_comment: comment?.trim() || null };
    if (before.rating === said.rating && before.rating_comment === said.rating_comment) return before;
    const conversation: ConversationRow = { ...before, ...said, rated_at: ctx.now };
    ctx.write(rateConversationRow, conversation);
    ctx.record({ name: "conversation.rated", conversation, ...people });
    return conversation;
  },
};
