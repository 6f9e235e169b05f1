import type { Context, Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { markReadByTeam } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";
import { visitorMessagesAfter } from "./message-store.ts";

/**
 * Marks a conversation as read for the team up to a sort number, or all of it: only what the visitor wrote after it is unread
 * (decision 34). A lower number than before changes nothing. A repeat changes nothing, and records nothing. Specification: POST
 * /conversations/{conversation_id}/read.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const readConversation: Operation<{ conversationId: string; sortNumber: number | undefined }, ConversationRow> =
  {
    name: "read-conversation",
    mode: "write",
    async run(ctx, { conversationId, sortNumber }) {
      const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
      const read = Math.min(sortNumber ?? before.last_sort_number, before.last_sort_number);
      const teamSeen = Math.max(read, before.team_seen_number);
      const unread = await unreadAfterReading(ctx, before, teamSeen);
      if (teamSeen === before.team_seen_number && unread === before.unread_messages) return before;
      const conversation: ConversationRow = { ...before, team_seen_number: teamSeen, unread_messages: unread };
      ctx.write(markReadByTeam, conversation);
      ctx.record({ name: "conversation.read", conversation, ...people });
      return conversation;
    },
  };

/** Reading never increases the unread count, whatever was counted before. */
async function unreadAfterReading(ctx: Context, { id, unread_messages }: ConversationRow, teamSeen: number) {
  const after = { team_id: ctx.teamId, conversation_id: id, after: teamSeen };
  const { total = 0 } = (await ctx.db.first(visitorMessagesAfter, after)) ?? {};
  return Math.min(unread_messages, total);
}
