import type { PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import type { Context } from "../../context.ts";
import { withWhatIsShown } from "../../conversations/chat-message.ts";
import { messagesBefore } from "../../conversations/message-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ConversationRow } from "../../storage/tables.ts";

/** The prompt takes no more of them. */
const MESSAGES_MAX = 30;

/** The last messages of a conversation as the model is shown them, oldest first. Notes are the team's own, and are never among them. */
export async function conversationForModel(ctx: Context, { id }: ConversationRow): Promise<PromptMessage[]> {
  const found = await ctx.db.all(messagesBefore, {
    ...{ team_id: ctx.teamId, conversation_id: id, before: Number.MAX_SAFE_INTEGER },
    ...{ types: listParam(["message"]), limit: MESSAGES_MAX },
  });
  const shown = await withWhatIsShown(ctx, found.toReversed());
  return shown.map(({ message, agent, attachments }) => ({
    author: message.agent_id === null ? "visitor" : "agent",
    name: agent?.name ?? null,
    text: message.content ?? "",
    attachments: attachments.map(({ name }) => name ?? ""),
  }));
}
