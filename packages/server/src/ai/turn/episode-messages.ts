import { type AiMessageKind, readAiState } from "@frontdesk/core/domain/ai/ai-state";
import type { Context } from "../../context.ts";
import type { ChatMessage } from "../../conversations/chat-message.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { lastMessages } from "../conversation-for-model.ts";

/**
 * What visitor and team have written in the episode, oldest first. Earlier episodes are over: the AI knows nothing of them. The
 * words of its handoffs are left out: they answer nothing, and given back to the AI, it answers what has waited since.
 */
export async function episodeMessages(ctx: Context, conversation: ConversationRow): Promise<ChatMessage[]> {
  const { from } = readAiState(conversation.ai_state);
  const since = conversation.reopened_at ?? conversation.created_at;
  const shown = await lastMessages(ctx, conversation, ({ sort_number, created_at }) =>
    from === null ? created_at >= since : sort_number >= from,
  );
  return shown.filter(({ ai }) => ai?.kind !== ("handoff" satisfies AiMessageKind));
}
