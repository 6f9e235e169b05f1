import type { ArticleOrigin } from "@frontdesk/core/contract/session-sources";
import { canonicalId } from "@frontdesk/core/domain/id";
import type { Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { originsOfArticles } from "./article-origin-store.ts";

const ARTICLES_MAX = 100;

/** Where articles come from; without those that are not the team's. In no order. */
export const listArticleOrigins: Operation<{ articleIds: readonly string[] }, ArticleOrigin[]> = {
  name: "list-article-origins",
  mode: "read",
  async run(ctx, { articleIds }) {
    const ids = listParam(articleIds.slice(0, ARTICLES_MAX).flatMap((id) => canonicalId(id) ?? []));
    const rows = await ctx.db.all(originsOfArticles, { team_id: ctx.teamId, ids });
    return rows.map((row) => ({ ...row, source: row.source as ArticleOrigin["source"] }));
  },
};
