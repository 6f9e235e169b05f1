import { notFound } from "@frontdesk/core/domain/refusal";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import type { Context, Operation } from "../context.ts";
import { findWidget } from "../widgets/find-widget.ts";
import type { ShownArticle } from "./article-store.ts";
import { findArticle, shownArticle } from "./get-article.ts";
import { bestArticles } from "./search-articles.ts";

/** More would push the message field out of a phone's screen. */
const SUGGESTED = 3;

/**
 * The published articles that fit what a visitor types, the best first; none without a text.
 *
 * @throws Refusal `not-found` for the widget, also when it suggests no articles; `invalid` on `query` when it is too long
 */
export const suggestArticlesToVisitor: Operation<{ widgetId: string; query: string }, ShownArticle[]> = {
  name: "suggest-articles-to-visitor",
  mode: "read",
  // However many visitors of a team search, one search runs: agents do not wait for them.
  oneAtATime: () => true,
  async run(ctx, { widgetId, query }) {
    await requireSuggesting(ctx, widgetId);
    return query.trim() === "" ? [] : bestArticles(ctx, { query, limit: SUGGESTED });
  },
};

/**
 * A published article, for a visitor of a widget that suggests articles.
 *
 * @throws Refusal `not-found` for the widget, also when it suggests no articles; for the article, also for a draft
 */
export const readArticleAsVisitor: Operation<{ widgetId: string; articleId: string }, ShownArticle> = {
  name: "read-article-as-visitor",
  mode: "read",
  async run(ctx, { widgetId, articleId }) {
    await requireSuggesting(ctx, widgetId);
    const article = shownArticle(await findArticle(ctx, articleId));
    if (article.is_published !== 1) throw notFound("article");
    return article;
  },
};

async function requireSuggesting(ctx: Context, widgetId: string): Promise<void> {
  const { settings } = await findWidget(ctx, widgetId);
  if (!readWidgetSettings(settings).suggest_articles) throw notFound("widget");
}
