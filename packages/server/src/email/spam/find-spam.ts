import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../../context.ts";
import { type SpamRow, spamById } from "./spam-store.ts";

/**
 * A mail in the team's list of spam.
 *
 * @throws Refusal `not-found`, also for one that is no longer in it
 */
export async function findSpam(ctx: Context, spamId: string): Promise<SpamRow> {
  const id = canonicalId(spamId);
  const found = id && (await ctx.db.first(spamById, { team_id: ctx.teamId, id }));
  if (!found) throw notFound("spam");
  return found;
}
