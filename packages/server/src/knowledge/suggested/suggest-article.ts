import { articlePrompt } from "@frontdesk/core/domain/ai/article-draft";
import { invalid } from "@frontdesk/core/domain/refusal";
import { conversationForModel } from "../../ai/conversation-for-model.ts";
import { type CopilotRequest, fenceWord } from "../../ai/copilot/copilot-request.ts";
import { openCopilot } from "../../ai/copilot/open-copilot.ts";
import type { Operation } from "../../context.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { articleOfConversation } from "../article-origin-store.ts";

const ARTICLE_TOKENS = 900;

export interface KnownArticle {
  id: string;
  question: string;
}

export type SuggestedArticle =
  | { known: KnownArticle }
  /** What the model is to be asked; `names`: of the people in the conversation, which no article may hold. */
  | { request: CopilotRequest; names: string[] };

/**
 * What the model is asked for an article from a resolved conversation, or the article that was drafted from it before. Nothing is
 * written.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `conversation` while it is open, and `invalid` without a field when
 *   there is no model
 */
export const suggestArticle: Operation<{ conversationId: string }, SuggestedArticle> = {
  name: "suggest-article",
  mode: "read",
  async run(ctx, { conversationId }) {
    const { conversation, contact } = await findConversationWithPeople(ctx, conversationId);
    if (!conversation.is_resolved) throw invalid({ conversation: "conversation-open" });
    const known = await ctx.db.first(articleOfConversation, { team_id: ctx.teamId, conversation_id: conversation.id });
    if (known) return { known };
    const { connection, savedAt } = await openCopilot(ctx);
    const messages = await conversationForModel(ctx, conversation);
    const names = [...new Set([contact.name, ...messages.map(({ name }) => name)].filter((name) => name !== null))];
    const prompt = articlePrompt({ fence: fenceWord(ctx), names, conversation: messages });
    // An article holds no details of people.
    const restore = (text: string) => text;
    const request = { connection, savedAt, messages: prompt, passages: [], maxTokens: ARTICLE_TOKENS, restore };
    return { request, names };
  },
};
