import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { readSiteAddress, SITES_MAX } from "@frontdesk/core/domain/site-address";
import { audit } from "../../audit/audit.ts";
import type { Operation } from "../../context.ts";
import type { ArticleSiteRow } from "../../storage/tables.ts";
import { queueSite } from "./queue-site.ts";
import { insertSite, sitesOfTeam } from "./site-store.ts";

/**
 * Adds a site, which is read at once and then every night. A repeat is refused: the team has it.
 *
 * @throws Refusal `invalid` on `address`: it is none, known, or one too many
 */
export const addSite: Operation<{ address: string }, ArticleSiteRow> = {
  name: "add-site",
  mode: "write",
  async run(ctx, { address: written }) {
    const { address, prefix } = readSiteAddress(written);
    const sites = await ctx.db.all(sitesOfTeam, { team_id: ctx.teamId });
    if (sites.some((site) => site.prefix === prefix && site.state !== "removed")) {
      throw invalid({ address: "site-known" });
    }
    if (sites.length >= SITES_MAX) throw invalid({ address: because("too-many-sites", { max: SITES_MAX }) });
    const site: ArticleSiteRow = {
      team_id: ctx.teamId,
      id: ctx.newId(),
      address,
      prefix,
      state: "waiting",
      problem: null,
      problem_detail: null,
      created_at: ctx.now,
      began_at: null,
      read_at: null,
    };
    ctx.write(insertSite, site);
    audit(ctx, { site: { id: site.id, name: address } });
    queueSite(ctx, site.id);
    return site;
  },
};
