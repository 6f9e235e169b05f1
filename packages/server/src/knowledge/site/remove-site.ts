import { audit } from "../../audit/audit.ts";
import type { Operation } from "../../context.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import type { SitePageRow } from "../../storage/tables.ts";
import { findSite } from "./find-site.ts";
import { SITES_QUEUE } from "./queue-site.ts";
import { removeArticlesOfPage } from "./site-articles.ts";
import { deleteSite, deleteSitePage, pageByPlace, pagesOfSite, setSiteState, siteById } from "./site-store.ts";

/** So few that other writes of the team do not wait long. */
const PAGES_AT_ONCE = 10;

/** Removes a site with its articles: it is unknown from this commit on, they go soon after. @throws Refusal `not-found` */
export const removeSite: Operation<{ siteId: string }, void> = {
  name: "remove-site",
  mode: "write",
  async run(ctx, { siteId }) {
    const site = await findSite(ctx, siteId);
    ctx.write(setSiteState, { ...site, state: "removed" });
    ctx.cancelTimer("read-site", site.id);
    audit(ctx, { site: { id: site.id, name: site.address } });
    ctx.enqueue({ kind: "remove-site", payload: { siteId: site.id }, queueKey: SITES_QUEUE });
  },
};

export function removeSiteJob(perform: () => Perform): JobHandler<"remove-site"> {
  return async ({ siteId }, { teamId, signal }) => {
    while (await perform()({ kind: "system", teamId }, removeSitePages, { siteId })) signal.throwIfAborted();
  };
}

/** Removes some pages with their articles, and at last the site; answers whether there is more. */
const removeSitePages: Operation<{ siteId: string }, boolean> = {
  name: "remove-site-pages",
  mode: "write",
  async run(ctx, { siteId }) {
    const of = { team_id: ctx.teamId, site_id: siteId };
    const site = await ctx.db.first(siteById, { team_id: ctx.teamId, id: siteId });
    if (site?.state !== "removed") return false;
    const listed = (await ctx.db.all(pagesOfSite, of)).slice(0, PAGES_AT_ONCE);
    for (const { place } of listed) {
      const page = (await ctx.db.first(pageByPlace, { ...of, place })) as SitePageRow;
      await removeArticlesOfPage(ctx, page);
      ctx.write(deleteSitePage, { ...of, place });
    }
    if (listed.length === 0) ctx.write(deleteSite, { team_id: ctx.teamId, id: siteId });
    return listed.length > 0;
  },
};
