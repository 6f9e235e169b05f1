import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { ArticleRow } from "../storage/tables.ts";
import { articleById, type ShownArticle } from "./article-store.ts";

/**
 * One article, a draft too.
 *
 * @throws Refusal `not-found`
 */
export const getArticle: Operation<{ articleId: string }, ShownArticle> = {
  name: "get-article",
  mode: "read",
  run: async (ctx, { articleId }) => shownArticle(await findArticle(ctx, articleId)),
};

/** @throws Refusal `not-found`, the same for a missing one, another team's, and a text that is not an id */
export async function findArticle(ctx: Context, articleId: string): Promise<ArticleRow> {
  const id = canonicalId(articleId);
  const article = id && (await ctx.db.first(articleById, { team_id: ctx.teamId, id }));
  if (!article) throw notFound("article");
  return article;
}

/** Its public part: not the words that it is found by, nor where it comes from. */
export function shownArticle(row: ArticleRow): ShownArticle {
  const { id, question, answer, is_published, created_by, created_at, updated_at } = row;
  return { id, question, answer, is_published, created_by, created_at, updated_at };
}
