import type { ArticleSite } from "@frontdesk/core/contract/session-sources";
import type { SiteProblem, SiteState } from "@frontdesk/core/domain/site-problem";
import { isoTime } from "../../timestamp.ts";
import type { CountedSite } from "./list-sites.ts";

export function presentSite({ site, pages, troubled }: CountedSite): ArticleSite {
  return {
    id: site.id,
    address: site.address,
    prefix: site.prefix,
    state: site.state as SiteState,
    problem: site.problem as SiteProblem | null,
    problem_detail: site.problem_detail,
    pages,
    troubled_pages: troubled,
    read_at: site.read_at === null ? null : isoTime(site.read_at),
  };
}
