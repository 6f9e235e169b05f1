import { SEARCH_MAX } from "@frontdesk/core/contract/fields";
import type { ArticleText } from "@frontdesk/core/domain/article";
import type { Operation } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { addArticle } from "../add-article.ts";
import { articleOfConversation, insertArticleOrigin } from "../article-origin-store.ts";
import { understandAndSearch } from "../search-articles.ts";
import type { KnownArticle } from "./suggest-article.ts";

/**
 * Adds a draft with the conversation as its origin, unless a search for its question finds a published article, or there is a draft
 * from this conversation: then it answers that one. So a repeat adds none.
 *
 * @throws Refusal `not-found` for a conversation that was erased meanwhile
 */
export const addSuggestedArticle: Operation<
  { conversationId: string; text: ArticleText },
  { article: KnownArticle; isNew: boolean }
> = {
  name: "add-suggested-article",
  mode: "write",
  async run(ctx, { conversationId, text }) {
    const conversation = await findConversation(ctx, conversationId);
    const origin = { team_id: ctx.teamId, conversation_id: conversation.id };
    const drafted = await ctx.db.first(articleOfConversation, origin);
    if (drafted) return { article: drafted, isNew: false };
    const query = text.question.slice(0, SEARCH_MAX).toWellFormed();
    const [published] = (await understandAndSearch(ctx, { query, limit: 1 })).articles;
    if (published) return { article: published, isNew: false };
    const article = await addArticle.run(ctx, { ...text, isPublished: false, from: { source: "conversation" } });
    ctx.write(insertArticleOrigin, { ...origin, article_id: article.id });
    return { article, isNew: true };
  },
};
