import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { markReadByTeam } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Marks a conversation as unread for the team: it has at least one unread message. The visitor still sees that it was read. A
 * repeat changes nothing, and records nothing. Specification: POST /conversations/{conversation_id}/unread.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const markUnread: Operation<{ conversationId: string }, ConversationRow> = {
  name: "mark-unread",
  mode: "write",
  async run(ctx, { conversationId }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (before.unread_messages > 0) return before;
    const conversation: ConversationRow = { ...before, unread_messages: 1 };
    ctx.write(markReadByTeam, conversation);
    ctx.record({ name: "conversation.marked-unread", conversation, ...people });
    return conversation;
  },
};
