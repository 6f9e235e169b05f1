import type { Context } from "../../context.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";

/** The owner's rules for the AI, which hold for drafts as well; empty without any. */
export async function instructionsOf(ctx: Context): Promise<string> {
  return (await ctx.db.first(aiOfTeam, { team_id: ctx.teamId }))?.instructions ?? "";
}
