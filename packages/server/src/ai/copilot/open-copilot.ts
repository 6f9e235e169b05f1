import { type DetailRedaction, redactionIf } from "@frontdesk/core/domain/ai/redact-details";
import type { Context } from "../../context.ts";
import type { ModelConnection } from "../model/model-client.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { modelOf, settingsOf } from "../settings/open-ai-settings.ts";
import { withoutModel } from "./copilot-request.ts";

/** The model for agents' texts, and what the owner has set that holds for them as well. */
export interface OpenedCopilot {
  connection: ModelConnection;
  /** When its settings were saved, ms; undefined: the team has set up nothing. */
  savedAt: number | undefined;
  /** The owner's rules; empty without any. */
  instructions: string;
  redaction: DetailRedaction;
}

/** @throws Refusal `invalid` without a field when there is no model */
export async function openCopilot(ctx: Context): Promise<OpenedCopilot> {
  const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
  const connection = modelOf(ctx, row);
  if (!connection) throw withoutModel();
  const { instructions, redacts } = settingsOf(row);
  return { connection, savedAt: row?.updated_at, instructions, redaction: redactionIf(redacts) };
}
