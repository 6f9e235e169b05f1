import { type AiMessageKind, readAiState } from "@frontdesk/core/domain/ai/ai-state";
import { CONVERSATION_MESSAGES_MAX } from "@frontdesk/core/domain/ai/fenced-data";
import type { PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import type { Context } from "../../context.ts";
import { type ChatMessage, withWhatIsShown } from "../../conversations/chat-message.ts";
import { messagesBefore } from "../../conversations/message-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ConversationRow } from "../../storage/tables.ts";

/** One more than the model is shown, so that the prompt can say that there are older ones. */
const MESSAGES_MAX = CONVERSATION_MESSAGES_MAX + 1;

/**
 * What visitor and team have written in the episode, oldest first. Earlier episodes are over: the AI knows nothing of them. The
 * words of its handoffs are left out: they answer nothing, and given back to the AI, it answers what has waited since.
 */
export async function episodeMessages(ctx: Context, conversation: ConversationRow): Promise<ChatMessage[]> {
  const found = await ctx.db.all(messagesBefore, {
    ...{ team_id: ctx.teamId, conversation_id: conversation.id, before: Number.MAX_SAFE_INTEGER },
    ...{ types: listParam(["message"]), limit: MESSAGES_MAX },
  });
  const { from } = readAiState(conversation.ai_state);
  const since = conversation.reopened_at ?? conversation.created_at;
  const ofEpisode = found.filter(({ sort_number, created_at }) =>
    from === null ? created_at >= since : sort_number >= from,
  );
  const shown = await withWhatIsShown(ctx, ofEpisode.toReversed());
  return shown.filter(({ ai }) => ai?.kind !== ("handoff" satisfies AiMessageKind));
}

/** As the model is shown it. @param aiAgentId the agent as which the AI writes */
export function promptMessage(
  { message, agent, attachments }: ChatMessage,
  aiAgentId: string | undefined,
): PromptMessage {
  const author = message.agent_id === null ? "visitor" : message.agent_id === aiAgentId ? "ai" : "agent";
  return {
    author,
    name: author === "agent" ? (agent?.name ?? null) : null,
    text: message.content ?? "",
    attachments: attachments.map(({ name, url }) => name ?? lastPart(url)),
  };
}

const lastPart = (url: string): string =>
  url
    .replace(/[?#].*$/s, "")
    .split("/")
    .at(-1) ?? "";
