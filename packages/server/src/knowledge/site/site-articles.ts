import type { ArticleText } from "@frontdesk/core/domain/article";
import type { Context } from "../../context.ts";
import type { ArticleRow, SitePageRow } from "../../storage/tables.ts";
import { addArticle } from "../add-article.ts";
import { articleById } from "../article-store.ts";
import { removeArticle } from "../remove-article.ts";
import { updateArticle } from "../update-article.ts";

/**
 * Brings the articles of a page to its texts, in their order, and answers their ids. One that an agent has made a draft stays one; one
 * that an agent has removed stays removed while its page has as many parts.
 *
 * @param isBack the page was gone, so that its articles are drafts by us
 */
export async function writeArticlesOfPage(
  ctx: Context,
  page: SitePageRow,
  { texts, isBack }: { texts: readonly ArticleText[]; isBack: boolean },
): Promise<string[]> {
  const known = idsOf(page);
  const ids: string[] = [];
  for (const [index, text] of texts.entries()) {
    const id = known[index];
    const article = id && (await find(ctx, id));
    if (article) {
      const change = { ...text, ...(isBack && { isPublished: true }) };
      await updateArticle.run(ctx, { articleId: article.id, change });
    }
    const from = { source: "site", address: page.address } as const;
    ids.push(id ?? (await addArticle.run(ctx, { ...text, isPublished: true, from })).id);
  }
  for (const id of known.slice(texts.length)) await removeIfThere(ctx, id);
  return ids;
}

/** Drafts, or published again. */
export async function publishArticlesOfPage(ctx: Context, page: SitePageRow, isPublished: boolean): Promise<void> {
  for (const id of idsOf(page)) {
    if (await find(ctx, id)) await updateArticle.run(ctx, { articleId: id, change: { isPublished } });
  }
}

export async function removeArticlesOfPage(ctx: Context, page: SitePageRow): Promise<void> {
  for (const id of idsOf(page)) await removeIfThere(ctx, id);
}

async function removeIfThere(ctx: Context, id: string): Promise<void> {
  if (await find(ctx, id)) await removeArticle.run(ctx, { articleId: id });
}

const find = (ctx: Context, id: string): Promise<ArticleRow | undefined> =>
  ctx.db.first(articleById, { team_id: ctx.teamId, id });

const idsOf = ({ article_ids }: SitePageRow): string[] => JSON.parse(article_ids);
