import type { AiActor } from "../../access/actor.ts";
import type { Context } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { type Breakers, breakersOf } from "../model/breakers.ts";
import { type OpenedAi, openAiSettings } from "../settings/open-ai-settings.ts";

/** The AI of a team that is switched on and has a model. */
export interface AiAtWork extends OpenedAi {
  breakers: Breakers;
}

/** Undefined while it is off, or has no model. */
export async function aiAtWork(ctx: Context): Promise<AiAtWork | undefined> {
  const opened = await openAiSettings(ctx);
  return opened?.settings.is_active ? { ...opened, breakers: breakersOf(opened.row) } : undefined;
}

export const aiActor = ({ team_id, ai_id, name, agent_id }: AiSettingsRow): AiActor => ({
  ...{ kind: "ai", teamId: team_id, aiId: ai_id, name, agentId: agent_id },
});
