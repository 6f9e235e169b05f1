import { mayBeRated } from "@frontdesk/core/domain/conversation";
import { invalid, notAllowed } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { rateConversationRow } from "./conversation-store.ts";
import { lastEpisodes } from "./episode-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * A visitor rates their conversation once it has been resolved. A later rating replaces an earlier one and its comment; the
 * same rating again changes nothing, except for an episode that has none yet. docs/decisions/0024-care-for-visitors.md
 *
 * @throws Refusal `not-found` for the conversation, `not-allowed` for a visitor whom the team has blocked, `invalid` on
 *   `conversation_id` for one that was never resolved
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
    const isSame = before.rating === said.rating && before.rating_comment === said.rating_comment;
    if (isSame && (await isEpisodeRated(ctx, before))) return before;
    const conversation: ConversationRow = { ...before, ...said, rated_at: ctx.now };
    ctx.write(rateConversationRow, conversation);
    ctx.record({ name: "conversation.rated", conversation, ...people });
    return conversation;
  },
};

/** Whether the episode that a rating belongs to, the last resolved one, has a rating. */
async function isEpisodeRated(ctx: Context, { id }: ConversationRow): Promise<boolean> {
  const episodes = await ctx.db.all(lastEpisodes, { team_id: ctx.teamId, conversation_id: id });
  return episodes.find(({ resolved_at }) => resolved_at !== null)?.rating != null;
}
