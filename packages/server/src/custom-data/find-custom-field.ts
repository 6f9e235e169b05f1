import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import { customFieldById, type ShownField } from "./custom-data-store.ts";

/** @throws Refusal `not-found`, also for another team's and for an invalid id (decisions 25 and 68) */
export async function findCustomField(ctx: Context, given: string): Promise<ShownField> {
  const id = canonicalId(given);
  const field = id && (await ctx.db.first(customFieldById, { team_id: ctx.teamId, id }));
  if (!field) throw notFound("custom-field");
  return field;
}
