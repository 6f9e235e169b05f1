import { createHash } from "node:crypto";
import { cutArticle } from "@frontdesk/core/domain/cut-article";
import { PAGES_MAX, pageOfSite } from "@frontdesk/core/domain/site-address";
import type { SiteProblem } from "@frontdesk/core/domain/site-problem";
import type { Context, Operation } from "../../context.ts";
import type { ArticleSiteRow, SitePageRow } from "../../storage/tables.ts";
import type { PageText } from "../documents/read-page.ts";
import { counted } from "./list-sites.ts";
import { publishArticlesOfPage, writeArticlesOfPage } from "./site-articles.ts";
import {
  countsOfSites,
  deleteSitePage,
  insertSitePage,
  nextDuePage,
  pageByPlace,
  pagesOfSite,
  setPagesDue,
  setSiteState,
  siteById,
  updateSitePage,
} from "./site-store.ts";

/** After so many readings in a row that have not found a page its articles are drafts, and it is asked for no more. */
const DRAFT_AFTER_MISSES = 2;
const FORGOTTEN_AFTER_MISSES = 7;

/** Begins a reading, or goes on with one that was cut off; undefined for a site that was removed. */
export const beginSiteReading: Operation<{ siteId: string }, ArticleSiteRow | undefined> = {
  name: "begin-site-reading",
  mode: "write",
  async run(ctx, { siteId }) {
    const site = await openSite(ctx, siteId);
    if (!site || site.state === "listing" || site.state === "reading") return site;
    const begun: ArticleSiteRow = { ...site, state: "listing", began_at: ctx.now };
    ctx.write(setSiteState, begun);
    ctx.write(setPagesDue, { team_id: ctx.teamId, site_id: siteId, is_due: 1 });
    return begun;
  },
};

/** Adds the pages that are not known yet, as far as there is room; from now on the reading is one of pages. */
export const notePagesFound: Operation<{ siteId: string; links: readonly string[] }, void> = {
  name: "note-pages-found",
  mode: "write",
  async run(ctx, { siteId, links }) {
    const site = await openSite(ctx, siteId);
    if (!site) return;
    await addPages(ctx, site, { links, base: site.address });
    ctx.write(setSiteState, { ...site, state: "reading" });
  },
};

/** The next page to ask for; undefined when all were, and when the site was removed. */
export const nextSitePage: Operation<{ siteId: string }, SitePageRow | undefined> = {
  name: "next-site-page",
  mode: "read",
  async run(ctx, { siteId }) {
    const site = await openSite(ctx, siteId);
    return site && ctx.db.first(nextDuePage, { team_id: ctx.teamId, site_id: siteId });
  },
};

/**
 * How asking for a page has ended. `gone`: there is no page, it has moved, or it has no text; `movedTo`: where it is now. `trouble`:
 * what is known of it stays.
 */
export type PageOutcome =
  | { kind: "read"; page: PageText; etag: string | null; lastModified: string | null }
  | { kind: "unchanged" }
  | { kind: "gone"; movedTo?: string }
  | { kind: "trouble"; problem: SiteProblem };

/** Brings a page and its articles to what was read. A repeat changes nothing: the page is not due any more. */
export const noteSitePage: Operation<{ siteId: string; place: number; outcome: PageOutcome }, void> = {
  name: "note-site-page",
  mode: "write",
  async run(ctx, { siteId, place, outcome }) {
    const site = await openSite(ctx, siteId);
    const page = site && (await ctx.db.first(pageByPlace, { team_id: ctx.teamId, site_id: siteId, place }));
    if (!site || !page?.is_due) return;
    const next = await afterOutcome(ctx, site, { page, outcome });
    if (next) ctx.write(updateSitePage, { ...next, is_due: 0 });
    else ctx.write(deleteSitePage, page);
  },
};

/** Undefined for a page that is forgotten. */
async function afterOutcome(
  ctx: Context,
  site: ArticleSiteRow,
  { page, outcome }: { page: SitePageRow; outcome: PageOutcome },
): Promise<SitePageRow | undefined> {
  const isBack = page.misses >= DRAFT_AFTER_MISSES;
  switch (outcome.kind) {
    case "read": {
      const { title, markdown, links } = outcome.page;
      await addPages(ctx, site, { links, base: page.address });
      const { texts } = cutArticle({ title, markdown });
      if (texts.length === 0) return missed(ctx, page);
      const hash = createHash("sha256")
        .update(JSON.stringify([title, markdown]))
        .digest("base64url");
      const found = { ...page, misses: 0, problem: null, etag: outcome.etag, last_modified: outcome.lastModified };
      if (hash === page.content_hash) {
        if (isBack) await publishArticlesOfPage(ctx, page, true);
        return found;
      }
      const ids = await writeArticlesOfPage(ctx, page, { texts, isBack });
      return { ...found, content_hash: hash, article_ids: JSON.stringify(ids) };
    }
    case "unchanged":
      if (isBack) await publishArticlesOfPage(ctx, page, true);
      return { ...page, misses: 0, problem: null };
    case "gone":
      if (outcome.movedTo) await addPages(ctx, site, { links: [outcome.movedTo], base: page.address });
      return missed(ctx, page);
    case "trouble":
      return { ...page, problem: outcome.problem };
    default:
      return outcome satisfies never;
  }
}

async function missed(ctx: Context, page: SitePageRow): Promise<SitePageRow | undefined> {
  const misses = page.misses + 1;
  if (misses === DRAFT_AFTER_MISSES) await publishArticlesOfPage(ctx, page, false);
  // What was never an article need not be asked for again, unless a link leads there again.
  if (misses >= (page.article_ids === "[]" ? DRAFT_AFTER_MISSES : FORGOTTEN_AFTER_MISSES)) return undefined;
  // Without validators: when it comes back it is read.
  return { ...page, misses, problem: page.article_ids === "[]" ? null : "gone", etag: null, last_modified: null };
}

/**
 * Ends a reading. Pages that were not asked for stay as they were.
 *
 * @param problem why it has ended early; undefined: it has read all
 */
export const endSiteReading: Operation<{ siteId: string; problem?: SiteProblem; detail?: string }, void> = {
  name: "end-site-reading",
  mode: "write",
  async run(ctx, { siteId, problem, detail }) {
    const site = await openSite(ctx, siteId);
    if (!site) return;
    const of = { team_id: ctx.teamId, site_id: siteId };
    ctx.write(setPagesDue, { ...of, is_due: 0 });
    const { pages } = counted(site, await ctx.db.all(countsOfSites, of));
    const known = (await ctx.db.all(pagesOfSite, of)).length;
    const found = pages === 0 ? "empty" : known >= PAGES_MAX ? "many" : null;
    const ended = { problem: problem ?? found, problem_detail: detail ?? null, read_at: ctx.now };
    ctx.write(setSiteState, { ...site, ...ended, state: "read" });
  },
};

async function openSite(ctx: Context, siteId: string): Promise<ArticleSiteRow | undefined> {
  const site = await ctx.db.first(siteById, { team_id: ctx.teamId, id: siteId });
  return site?.state === "removed" ? undefined : site;
}

async function addPages(
  ctx: Context,
  site: ArticleSiteRow,
  { links, base }: { links: readonly string[]; base: string },
): Promise<void> {
  const of = { team_id: ctx.teamId, site_id: site.id };
  const known = await ctx.db.all(pagesOfSite, of);
  const addresses = new Set(known.map(({ address }) => address));
  let place = known.at(-1)?.place ?? 0;
  for (const link of links) {
    const address = pageOfSite(link, { prefix: site.prefix, base });
    if (!address || addresses.has(address)) continue;
    if (addresses.size >= PAGES_MAX) return;
    addresses.add(address);
    place += 1;
    ctx.write(insertSitePage, {
      ...{ ...of, place, address, is_due: 1, misses: 0, problem: null },
      ...{ etag: null, last_modified: null, content_hash: null, article_ids: "[]" },
    });
  }
}
