import type { AiActor } from "../../access/actor.ts";
import type { Context } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { type Breaker, newBreaker } from "../model/breaker.ts";
import { type OpenedAi, openAiSettings } from "../settings/open-ai-settings.ts";

/** The AI of a team that is switched on and has a model. */
export interface AiAtWork extends OpenedAi {
  breaker: Breaker;
}

/** Undefined while it is off, or has no model. */
export async function aiAtWork(ctx: Context): Promise<AiAtWork | undefined> {
  const opened = await openAiSettings(ctx);
  return opened?.settings.is_active ? { ...opened, breaker: breakerOf(opened.row) } : undefined;
}

export const breakerOf = ({ breaker }: Pick<AiSettingsRow, "breaker">): Breaker =>
  breaker === null ? newBreaker : JSON.parse(breaker);

export const aiActor = ({ team_id, ai_id, name, agent_id }: AiSettingsRow): AiActor => ({
  ...{ kind: "ai", teamId: team_id, aiId: ai_id, name, agentId: agent_id },
});
