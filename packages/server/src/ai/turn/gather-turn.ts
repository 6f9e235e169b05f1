import { readAiState } from "@frontdesk/core/domain/ai/ai-state";
import { readConfirmation } from "@frontdesk/core/domain/ai/confirmation";
import { CONVERSATION_MESSAGES_MAX } from "@frontdesk/core/domain/ai/fenced-data";
import type { PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { contactById } from "../../contacts/contact-store.ts";
import type { Context, Operation } from "../../context.ts";
import { type ChatMessage, withWhatIsShown } from "../../conversations/chat-message.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { messagesBefore } from "../../conversations/message-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { findWidget } from "../../widgets/find-widget.ts";
import { aiAtWork } from "../speaker/ai-at-work.ts";
import type { GatheredTurn } from "./turn.ts";
import { contactUsage, dayOf } from "./usage-store.ts";
import { chosenOrWritten } from "./visitor-language.ts";

/** One more than the model is shown, so that the prompt can say that there are older ones. */
const MESSAGES_MAX = CONVERSATION_MESSAGES_MAX + 1;
/**
 * Everything that a turn is decided by but the articles, in one read: the episode, the question, and what is left of the caps.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export const gatherTurn: Operation<{ conversationId: string }, GatheredTurn> = {
  name: "gather-ai-turn",
  mode: "read",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const [ai, contact, widget, shown] = await Promise.all([
      aiAtWork(ctx),
      ctx.db.first(contactById, { team_id: ctx.teamId, id: conversation.contact_id }),
      findWidget(ctx, conversation.widget_id),
      episodeMessages(ctx, conversation),
    ]);
    if (!contact) throw new Error(`The conversation ${conversation.id} has no contact.`);
    const agentId = ai?.row.agent_id;
    const messages = shown.map((each) => promptMessage(each, agentId));
    const lastReply = shown.findLastIndex(({ message }) => message.agent_id !== null);
    const burst = messages.slice(lastReply + 1);
    const { hours, sites } = readWidgetSettings(widget.settings);
    const spoken = shown.findLast(({ message }) => message.agent_id === agentId);
    const used = await ctx.db.first(contactUsage, {
      ...{ team_id: ctx.teamId, contact_id: contact.id, day: dayOf(ctx.now) },
    });
    return {
      ai,
      upto: shown.findLast(({ message }) => message.agent_id === null)?.message.sort_number ?? 0,
      state: readAiState(conversation.ai_state),
      messages,
      isDenied: readConfirmation(burst.map(({ text }) => text).join("\n")) === "not-helped",
      burst,
      lastAnswer: spoken?.message.content ?? null,
      visitor: {
        name: contact.name,
        page: conversation.first_page_url,
        language: chosenOrWritten(contact, burst.map(({ text }) => text).join("\n")),
      },
      hours,
      sites,
      contactAnswers: used?.answers ?? 0,
    };
  },
};

/** What visitor and team have written in the episode, oldest first. Earlier episodes are over: the AI knows nothing of them. */
async function episodeMessages(ctx: Context, conversation: ConversationRow): Promise<ChatMessage[]> {
  const found = await ctx.db.all(messagesBefore, {
    ...{ team_id: ctx.teamId, conversation_id: conversation.id, before: Number.MAX_SAFE_INTEGER },
    ...{ types: listParam(["message"]), limit: MESSAGES_MAX },
  });
  const { from } = readAiState(conversation.ai_state);
  const since = conversation.reopened_at ?? conversation.created_at;
  const ofEpisode = found.filter(({ sort_number, created_at }) =>
    from === null ? created_at >= since : sort_number >= from,
  );
  return withWhatIsShown(ctx, ofEpisode.toReversed());
}

function promptMessage({ message, agent, attachments }: ChatMessage, aiAgentId: string | undefined): PromptMessage {
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
