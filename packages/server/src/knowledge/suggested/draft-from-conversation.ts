import { holdsDetails, readArticleDraft } from "@frontdesk/core/domain/ai/article-draft";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../../access/actor.ts";
import type { AskCopilot } from "../../ai/copilot/ask-copilot.ts";
import type { Perform } from "../../perform.ts";
import { addSuggestedArticle } from "./add-suggested-article.ts";
import { type KnownArticle, suggestArticle } from "./suggest-article.ts";

/**
 * Drafts an article from a resolved conversation, for a person to publish. The model is asked outside of any transaction.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `conversation` when it makes no article or the text would hold details
 *   of people, `unavailable` when the model gives no answer
 */
export function createDraftFromConversation({ perform, askCopilot }: { perform: Perform; askCopilot: AskCopilot }) {
  return async (
    actor: Actor,
    { conversationId, signal }: { conversationId: string; signal: AbortSignal },
  ): Promise<{ article: KnownArticle; isNew: boolean }> => {
    const suggested = await perform(actor, suggestArticle, { conversationId });
    if ("known" in suggested) return { article: suggested.known, isNew: false };
    const answer = await askCopilot(actor, suggested.request, { signal });
    const text = readArticleDraft(answer.text);
    if (!text) throw invalid({ conversation: "conversation-without-answer" });
    if (holdsDetails(`${text.question}\n${text.answer}`, suggested.names)) {
      throw invalid({ conversation: "article-with-details" });
    }
    return perform(actor, addSuggestedArticle, { conversationId, text });
  };
}

export type DraftFromConversation = ReturnType<typeof createDraftFromConversation>;
