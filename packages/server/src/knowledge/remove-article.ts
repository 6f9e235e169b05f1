import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import { deleteArticleOrigin } from "./article-origin-store.ts";
import { deleteArticleRow } from "./article-store.ts";
import { findArticle } from "./get-article.ts";
import { setArticleWords } from "./set-article-words.ts";
import { removeVectorsOf } from "./vectors/remove-vectors.ts";

/**
 * Removes an article for good; a repeat finds none.
 *
 * @throws Refusal `not-found` for the article, `invalid` on `agent_id`
 */
export const removeArticle: Operation<{ articleId: string; by?: NamedDoer | undefined }, void> = {
  name: "remove-article",
  mode: "write",
  async run(ctx, { articleId, by }) {
    const article = await findArticle(ctx, articleId);
    const removedBy = await doer(ctx, by);
    setArticleWords(ctx, article.id, article.words, undefined);
    ctx.write(deleteArticleOrigin, { team_id: ctx.teamId, article_id: article.id });
    await removeVectorsOf(ctx, article.id);
    ctx.write(deleteArticleRow, { team_id: ctx.teamId, id: article.id });
    ctx.count("articles", -1);
    ctx.count("published_articles", -article.is_published);
    ctx.record({ name: "article.removed", article, removedBy });
  },
};
