import type { PageRequest } from "@frontdesk/core/domain/page";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { type Listed, pageOfRows, pageWindow } from "../list.ts";
import { countersOf } from "../teams/team-counters.ts";
import { articlePage, articlePageByState, type ShownArticle } from "./article-store.ts";
import { FOUND_MAX, searchArticles } from "./search-articles.ts";

export interface ArticleList extends PageRequest {
  /** The text to search for; surrounding white space is ignored, and an empty text is no search. */
  search?: string | undefined;
  /** Undefined: all. */
  status?: "all" | "published" | "draft" | undefined;
}

/**
 * The team's articles, including drafts, latest changed first; or those that answer a question, as `search-articles` finds and
 * ranks them.
 *
 * @throws Refusal `invalid` on `search` for a search among drafts: they have no words, so it would find none (decision 0017)
 */
export const listArticles: Operation<ArticleList, Listed<ShownArticle>> = {
  name: "list-articles",
  mode: "read",
  async run(ctx, { search = "", status = "all", ...page }) {
    const query = search.trim();
    if (query === "") return status === "all" ? everyArticle(ctx, page) : articlesByState(ctx, page, status);
    if (status === "draft") throw invalid({ search: "drafts-unsearched" });
    return pageOfRows(page, await searchArticles.run(ctx, { query, limit: FOUND_MAX }));
  },
};

async function everyArticle(ctx: Context, page: PageRequest): Promise<Listed<ShownArticle>> {
  const [counters, rows] = await Promise.all([
    countersOf(ctx),
    ctx.db.all(articlePage, { team_id: ctx.teamId, ...pageWindow(page) }),
  ]);
  return { rows, total: counters.articles };
}

async function articlesByState(
  ctx: Context,
  page: PageRequest,
  status: "published" | "draft",
): Promise<Listed<ShownArticle>> {
  const isPublished = status === "published";
  const [{ articles, published_articles: published }, rows] = await Promise.all([
    countersOf(ctx),
    ctx.db.all(articlePageByState, { team_id: ctx.teamId, is_published: Number(isPublished), ...pageWindow(page) }),
  ]);
  return { rows, total: isPublished ? published : articles - published };
}
