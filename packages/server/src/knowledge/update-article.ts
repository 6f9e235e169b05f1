import { type ArticleText, readArticle } from "@frontdesk/core/domain/article";
import { nothingToChange } from "@frontdesk/core/domain/refusal";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import { type ShownArticle, updateArticleRow } from "./article-store.ts";
import { findArticle, shownArticle } from "./get-article.ts";
import { setArticleWords } from "./set-article-words.ts";

export interface ArticleChange {
  question?: string | undefined;
  answer?: string | undefined;
  isPublished?: boolean | undefined;
}

const CHANGEABLE = ["question", "answer", "is_published"] as const;

/**
 * Changes the given fields, at least one. Unchanged values record no event; so a repeat records none.
 *
 * @throws Refusal `invalid` on `question`, `answer`, `is_published` or `agent_id`, `not-found` for the article
 */
export const updateArticle: Operation<
  { articleId: string; change: ArticleChange; by?: NamedDoer | undefined },
  ShownArticle
> = {
  name: "update-article",
  mode: "write",
  async run(ctx, { articleId, change, by }) {
    const before = await findArticle(ctx, articleId);
    if (Object.values(change).every((value) => value === undefined)) {
      throw nothingToChange(["question", "answer", "is_published"]);
    }
    const text: ArticleText = readArticle({
      question: change.question ?? before.question,
      answer: change.answer ?? before.answer,
    });
    const isPublished = change.isPublished ?? before.is_published === 1;
    const wanted = { ...before, ...text, is_published: Number(isPublished) };
    const updatedFields = CHANGEABLE.filter((field) => wanted[field] !== before[field]);
    const updatedBy = await doer(ctx, by);
    if (updatedFields.length === 0) return shownArticle(before);

    const words = setArticleWords(ctx, before.id, before.words, isPublished ? text : undefined);
    const article = { ...wanted, updated_at: ctx.now, words };
    ctx.write(updateArticleRow, article);
    ctx.count("published_articles", article.is_published - before.is_published);
    ctx.record({ name: "article.updated", article, updatedFields, updatedBy });
    return shownArticle(article);
  },
};
