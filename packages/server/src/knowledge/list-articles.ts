import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { countersOf } from "../teams/team-counters.ts";
import { articlePage, type ShownArticle } from "./article-store.ts";

/** The team's articles, drafts too, the ones that were changed last first. */
export const listArticles: Operation<PageRequest, Listed<ShownArticle>> = {
  name: "list-articles",
  mode: "read",
  async run(ctx, page) {
    const [counters, rows] = await Promise.all([
      countersOf(ctx),
      ctx.db.all(articlePage, { team_id: ctx.teamId, ...pageWindow(page) }),
    ]);
    return { rows, total: counters.articles };
  },
};
