import type { Operation } from "../context.ts";
import { articlePageByState, type ShownArticle } from "./article-store.ts";
import { bestArticles } from "./search-articles.ts";

/** As many as the list in the composer shows. */
const SUGGESTED = 8;
/** How much of the typed text an article must contain: a reply that goes on after a `#` finds nothing any more. */
const COVERAGE_WHILE_WRITING = 0.5;

/**
 * The published articles that fit what an agent types in a message, the best first; without a text those changed last.
 *
 * @throws Refusal `invalid` on `query` when it is too long
 */
export const suggestArticles: Operation<{ query: string }, ShownArticle[]> = {
  name: "suggest-articles",
  mode: "read",
  oneAtATime: () => true,
  async run(ctx, { query }) {
    if (query.trim() !== "") return bestArticles(ctx, { query, limit: SUGGESTED }, COVERAGE_WHILE_WRITING);
    return ctx.db.all(articlePageByState, { team_id: ctx.teamId, is_published: 1, limit: SUGGESTED, offset: 0 });
  },
};
