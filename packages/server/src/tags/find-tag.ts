import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import { type ShownTag, tagById } from "./tag-store.ts";

/** @throws Refusal `not-found`, also for another team's and for an invalid id (decisions 25 and 68) */
export async function findTag(ctx: Context, given: string): Promise<ShownTag> {
  const id = canonicalId(given);
  const tag = id && (await ctx.db.first(tagById, { team_id: ctx.teamId, id }));
  if (!tag) throw notFound("tag");
  return tag;
}
