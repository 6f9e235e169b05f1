import { invalid } from "@frontdesk/core/domain/refusal";
import { audit } from "../../audit/audit.ts";
import type { Operation } from "../../context.ts";
import type { ArticleSiteRow } from "../../storage/tables.ts";
import { findSite } from "./find-site.ts";
import { type CountedSite, counted } from "./list-sites.ts";
import { queueSite } from "./queue-site.ts";
import { countsOfSites, setSiteState } from "./site-store.ts";

/**
 * Reads a site before the night. A repeat is refused while it waits or is read.
 *
 * @throws Refusal `not-found` for the site, `invalid` on `site` while it is read already
 */
export const readSiteAgain: Operation<{ siteId: string }, CountedSite> = {
  name: "read-site-again",
  mode: "write",
  async run(ctx, { siteId }) {
    const site = await findSite(ctx, siteId);
    if (site.state !== "read") throw invalid({ site: "site-under-way" });
    const waiting: ArticleSiteRow = { ...site, state: "waiting" };
    ctx.write(setSiteState, waiting);
    audit(ctx, { site: { id: site.id, name: site.address } });
    queueSite(ctx, site.id);
    return counted(waiting, await ctx.db.all(countsOfSites, { team_id: ctx.teamId }));
  },
};
