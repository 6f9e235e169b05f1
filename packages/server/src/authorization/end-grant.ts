import type { Context } from "../context.ts";
import { appGrantsOf, deleteAppGrant, deleteTokensOfGrant } from "./app-grant-store.ts";

/** Ends a grant: none of its tokens works any more, in every process. */
export function endGrant(ctx: Context, id: string): void {
  ctx.db.announce("access");
  ctx.write(deleteTokensOfGrant, { team_id: ctx.teamId, grant_id: id });
  ctx.write(deleteAppGrant, { team_id: ctx.teamId, id });
}

/** Ends the grants of a connection but the newest `kept`. */
export async function endGrantsOf(ctx: Context, assistantId: string, kept = 0): Promise<void> {
  const grants = await ctx.db.all(appGrantsOf, { team_id: ctx.teamId, assistant_id: assistantId });
  for (const { id } of grants.slice(0, Math.max(0, grants.length - kept))) endGrant(ctx, id);
}
