import type { Operation } from "../../context.ts";
import type { ArticleSiteRow } from "../../storage/tables.ts";
import { countsOfSites, type SiteCounts, sitesOfTeam } from "./site-store.ts";

export interface CountedSite {
  site: ArticleSiteRow;
  /** Those that are articles, and those that could not be read. */
  pages: number;
  troubled: number;
}

/** The sites of the team, in the order in which they were added. */
export const listSites: Operation<Record<never, never>, CountedSite[]> = {
  name: "list-sites",
  mode: "read",
  async run(ctx) {
    const [sites, counts] = await Promise.all([
      ctx.db.all(sitesOfTeam, { team_id: ctx.teamId }),
      ctx.db.all(countsOfSites, { team_id: ctx.teamId }),
    ]);
    return sites.filter(({ state }) => state !== "removed").map((site) => counted(site, counts));
  },
};

export function counted(site: ArticleSiteRow, counts: readonly SiteCounts[]): CountedSite {
  const { pages = 0, troubled = 0 } = counts.find(({ site_id }) => site_id === site.id) ?? {};
  return { site, pages: Number(pages), troubled: Number(troubled) };
}
