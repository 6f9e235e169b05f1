import { sql } from "kysely";
import { every, statement, wholeRow } from "../../storage/statement.ts";
import type { ArticleSiteRow, SitePageRow } from "../../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
interface OfSite extends OfTeam {
  site_id: string;
}
type OfPage = OfSite & Pick<SitePageRow, "place">;

export const insertSite = statement<ArticleSiteRow>((db, param) =>
  db.insertInto("article_sites").values(wholeRow(param, "article_sites")),
);

export const siteById = statement<OfTeam & { id: string }, ArticleSiteRow>((db, param) =>
  db.selectFrom("article_sites").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** In the order in which they were added; with those that are being removed. */
export const sitesOfTeam = statement<OfTeam, ArticleSiteRow>((db, param) =>
  db.selectFrom("article_sites").selectAll().where("team_id", "=", param("team_id")).orderBy("id"),
);

export const setSiteState = statement<
  OfTeam & Pick<ArticleSiteRow, "id" | "state" | "problem" | "problem_detail" | "began_at" | "read_at">
>((db, param) =>
  db
    .updateTable("article_sites")
    .set(every(param, ["state", "problem", "problem_detail", "began_at", "read_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const deleteSite = statement<OfTeam & { id: string }>((db, param) =>
  db.deleteFrom("article_sites").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

export interface SiteCounts {
  site_id: string;
  pages: number;
  troubled: number;
}

/** How many pages of each site are there, and how many could not be read. */
export const countsOfSites = statement<OfTeam, SiteCounts>((db, param) =>
  db
    .selectFrom("site_pages")
    .select([
      "site_id",
      sql<number>`cast(sum(case when article_ids = '[]' then 0 else 1 end) as integer)`.as("pages"),
      sql<number>`cast(sum(case when problem is null then 0 else 1 end) as integer)`.as("troubled"),
    ])
    .where("team_id", "=", param("team_id"))
    .groupBy("site_id"),
);

export const insertSitePage = statement<SitePageRow>((db, param) =>
  db.insertInto("site_pages").values(wholeRow(param, "site_pages")),
);

export const pagesOfSite = statement<OfSite, Pick<SitePageRow, "place" | "address">>((db, param) =>
  db
    .selectFrom("site_pages")
    .select(["place", "address"])
    .where("team_id", "=", param("team_id"))
    .where("site_id", "=", param("site_id"))
    .orderBy("place"),
);

export const pageByPlace = statement<OfPage, SitePageRow>((db, param) =>
  db
    .selectFrom("site_pages")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("site_id", "=", param("site_id"))
    .where("place", "=", param("place")),
);

/** The next page that the reading has to ask for. */
export const nextDuePage = statement<OfSite, SitePageRow>((db, param) =>
  db
    .selectFrom("site_pages")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("site_id", "=", param("site_id"))
    .where("is_due", "=", 1)
    .orderBy("place")
    .limit(sql.lit(1)),
);

/** Every page of a site is due, or none is. */
export const setPagesDue = statement<OfSite & Pick<SitePageRow, "is_due">>((db, param) =>
  db
    .updateTable("site_pages")
    .set(every(param, ["is_due"]))
    .where("team_id", "=", param("team_id"))
    .where("site_id", "=", param("site_id")),
);

export const updateSitePage = statement<Omit<SitePageRow, "address">>((db, param) =>
  db
    .updateTable("site_pages")
    .set(every(param, ["is_due", "misses", "problem", "etag", "last_modified", "content_hash", "article_ids"]))
    .where("team_id", "=", param("team_id"))
    .where("site_id", "=", param("site_id"))
    .where("place", "=", param("place")),
);

export const deleteSitePage = statement<OfPage>((db, param) =>
  db
    .deleteFrom("site_pages")
    .where("team_id", "=", param("team_id"))
    .where("site_id", "=", param("site_id"))
    .where("place", "=", param("place")),
);
