import { notFound } from "@frontdesk/core/domain/refusal";
import { openModel } from "../ai/settings/open-ai-settings.ts";
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
}

/** The signed-in agent, with their team. */
export const getOwnProfile: Operation<Record<never, never>, OwnProfile> = {
  name: "get-own-profile",
  mode: "read",
  async run(ctx) {
    const [agent, team, model] = await Promise.all([
      findAgent(ctx, signedInAgent(ctx).agentId),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
      openModel(ctx),
    ]);
    if (!team) throw notFound("team");
    return { agent, team, hasModel: model !== undefined };
  },
};
