import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../../context.ts";
import type { ArticleSiteRow } from "../../storage/tables.ts";
import { siteById } from "./site-store.ts";

/** @throws Refusal `not-found`, also for one that is being removed */
export async function findSite(ctx: Context, siteId: string): Promise<ArticleSiteRow> {
  const id = canonicalId(siteId);
  const site = id && (await ctx.db.first(siteById, { team_id: ctx.teamId, id }));
  if (!site || site.state === "removed") throw notFound("site");
  return site;
}
