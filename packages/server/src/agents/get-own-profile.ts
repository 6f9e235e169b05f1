import { notFound } from "@frontdesk/core/domain/refusal";
import { aiOfTeam } from "../ai/settings/ai-settings-store.ts";
import { hasModel } from "../ai/settings/open-ai-settings.ts";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { AgentRow, TeamRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { findAgent } from "./find-agent.ts";

export interface OwnProfile {
  agent: AgentRow;
  team: TeamRow;
  /** Whether the team or the operator has set up a language model. */
  hasModel: boolean;
  /** Whether agents see a suggested reply before they ask for one. */
  hasGhostText: boolean;
}

/** The signed-in agent, with their team. */
export const getOwnProfile: Operation<Record<never, never>, OwnProfile> = {
  name: "get-own-profile",
  mode: "read",
  async run(ctx) {
    const [agent, team, ai] = await Promise.all([
      findAgent(ctx, signedInAgent(ctx).agentId),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
    ]);
    if (!team) throw notFound("team");
    const isWritable = hasModel(ctx, ai);
    return { agent, team, hasModel: isWritable, hasGhostText: isWritable && ai?.ghost_text === 1 };
  },
};
