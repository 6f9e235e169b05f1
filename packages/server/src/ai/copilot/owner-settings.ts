import { type DetailRedaction, redactionIf } from "@frontdesk/core/domain/ai/redact-details";
import type { Context } from "../../context.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { settingsOf } from "../settings/open-ai-settings.ts";

/** What the owner has set for the AI that holds for agents' texts as well. */
export interface OwnerSettings {
  /** The owner's rules; empty without any. */
  instructions: string;
  redaction: DetailRedaction;
}

export async function ownerSettings(ctx: Context): Promise<OwnerSettings> {
  const { instructions, redacts } = settingsOf(await ctx.db.first(aiOfTeam, { team_id: ctx.teamId }));
  return { instructions, redaction: redactionIf(redacts) };
}
