import { SEARCH_MAX } from "@frontdesk/core/contract/fields";
import { readAiState } from "@frontdesk/core/domain/ai/ai-state";
import { readConfirmation } from "@frontdesk/core/domain/ai/confirmation";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { CONVERSATION_MESSAGES_MAX } from "@frontdesk/core/domain/ai/fenced-data";
import type { PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import { passagesOf } from "@frontdesk/core/domain/ai/passages";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { contactById } from "../../contacts/contact-store.ts";
import type { Context, Operation } from "../../context.ts";
import { type ChatMessage, withWhatIsShown } from "../../conversations/chat-message.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { messagesBefore } from "../../conversations/message-store.ts";
import { articlePageByState, type ShownArticle } from "../../knowledge/article-store.ts";
import { bestArticles } from "../../knowledge/search-articles.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ContactRow, ConversationRow } from "../../storage/tables.ts";
import { countersOf } from "../../teams/team-counters.ts";
import { findWidget } from "../../widgets/find-widget.ts";
import { aiAtWork } from "../speaker/ai-at-work.ts";
import { articleAddresses } from "./article-address-store.ts";
import type { GatheredTurn, Passage } from "./turn.ts";
import { contactUsage, dayOf } from "./usage-store.ts";

/** One more than the model is shown, so that the prompt can say that there are older ones. */
const MESSAGES_MAX = CONVERSATION_MESSAGES_MAX + 1;
/** A knowledge base of so many tokens is shown as a whole: no search can miss anything then. */
const WHOLE_BASE_TOKENS = 8_000;
/** Reading more of them only to count would cost more than a search. */
const WHOLE_BASE_ARTICLES = 60;
/** A search gives so many articles, and so many passages. */
const FOUND = 5;
const PASSAGES_MAX = 8;
/** The visitor's last messages make the question. */
const ASKED_MESSAGES = 3;

/**
 * Everything that a turn needs, in one read: the episode, the question, the articles, and what is left of the caps.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export const gatherTurn: Operation<{ conversationId: string; withArticles: boolean }, GatheredTurn> = {
  name: "gather-ai-turn",
  mode: "read",
  async run(ctx, { conversationId, withArticles }) {
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
      passages: withArticles ? await passagesFor(ctx, burst) : [],
      visitor: { name: contact.name, page: conversation.first_page_url, language: languageOf(contact) },
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
    attachments: attachments.map(({ name }) => name ?? ""),
  };
}

/** The language that was chosen for the contact; null: that of what they write. */
function languageOf({ intake }: ContactRow): string | null {
  const chosen = intake === null ? null : (JSON.parse(intake) as Record<string, unknown>).preferred_chat_language;
  return typeof chosen === "string" && chosen !== "" && chosen !== "auto-detect" ? chosen : null;
}

async function passagesFor(ctx: Context, burst: readonly PromptMessage[]): Promise<Passage[]> {
  const { published_articles: published } = await countersOf(ctx);
  if (published <= WHOLE_BASE_ARTICLES) {
    const page = { team_id: ctx.teamId, is_published: 1, limit: WHOLE_BASE_ARTICLES, offset: 0 };
    // In one order at each call: servers keep what the prompts of two calls begin with.
    const all = (await ctx.db.all(articlePageByState, page)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const tokens = all.reduce(
      (sum, { question, answer }) => sum + estimateTokens(question) + estimateTokens(answer),
      0,
    );
    if (tokens <= WHOLE_BASE_TOKENS) return passagesIn(ctx, all);
  }
  const query = burst
    .slice(-ASKED_MESSAGES)
    .map(({ text }) => text)
    .join("\n")
    .trim();
  if (query === "") return [];
  const found = await bestArticles(ctx, { query: endOf(query, SEARCH_MAX), limit: FOUND });
  return (await passagesIn(ctx, found)).slice(0, PASSAGES_MAX);
}

async function passagesIn(ctx: Context, articles: readonly ShownArticle[]): Promise<Passage[]> {
  if (articles.length === 0) return [];
  const ids = listParam(articles.map(({ id }) => id));
  const addresses = new Map(
    (await ctx.db.all(articleAddresses, { team_id: ctx.teamId, ids })).map((row) => [row.id, row]),
  );
  return articles.flatMap(({ id, question, answer, updated_at }) =>
    passagesOf(answer).map((text) => ({
      ...{ articleId: id, title: question, text, updatedAt: updated_at },
      address: addresses.get(id)?.address ?? null,
    })),
  );
}

/** The last words of a text of at most `max` code points. */
function endOf(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : characters.slice(-max).join("");
}
