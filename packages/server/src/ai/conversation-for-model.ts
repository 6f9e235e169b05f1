import { CONVERSATION_MESSAGES_MAX } from "@frontdesk/core/domain/ai/fenced-data";
import type { PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import type { DetailRedaction } from "@frontdesk/core/domain/ai/redact-details";
import type { SentVia } from "@frontdesk/core/domain/conversation";
import type { Context } from "../context.ts";
import { type ChatMessage, withWhatIsShown } from "../conversations/chat-message.ts";
import { messagesBefore } from "../conversations/message-store.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow, MessageRow } from "../storage/tables.ts";

/** One more than a model is shown, so that the prompt can say that there are older ones. */
const MESSAGES_MAX = CONVERSATION_MESSAGES_MAX + 1;

/** What visitor and team have written last, oldest first. Notes are the team's own, and are never among them. */
export async function lastMessages(
  ctx: Context,
  { id }: ConversationRow,
  isOf: (message: Pick<MessageRow, "sort_number" | "created_at">) => boolean = () => true,
): Promise<ChatMessage[]> {
  const found = await ctx.db.all(messagesBefore, {
    ...{ team_id: ctx.teamId, conversation_id: id, before: Number.MAX_SAFE_INTEGER },
    ...{ types: listParam(["message"]), limit: MESSAGES_MAX },
  });
  return withWhatIsShown(ctx, found.filter(isOf).toReversed());
}

/** A message as a model is shown it. */
export function promptMessage({ message, agent, attachments }: ChatMessage): PromptMessage {
  const isOfAi = message.sent_via === ("ai" satisfies SentVia);
  const author = message.agent_id === null ? "visitor" : isOfAi ? "ai" : "agent";
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

/** The last messages of a conversation as a model is shown them. */
export const conversationForModel = async (ctx: Context, conversation: ConversationRow): Promise<PromptMessage[]> =>
  (await lastMessages(ctx, conversation)).map(promptMessage);

/** The messages without details of people, where the owner wants that; names of files and of people have some as well. */
export const redacted = (messages: readonly PromptMessage[], { redact }: DetailRedaction): PromptMessage[] =>
  messages.map(({ author, name, text, attachments }) => ({
    ...{ author, name: name && redact(name), text: redact(text), attachments: attachments.map(redact) },
  }));
