import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { AgentRow, TeamRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { findAgent } from "./find-agent.ts";

/** The signed-in agent, with their team. */
export const getOwnProfile: Operation<Record<never, never>, { agent: AgentRow; team: TeamRow }> = {
  name: "get-own-profile",
  mode: "read",
  async run(ctx) {
    const [agent, team] = await Promise.all([
      findAgent(ctx, signedInAgent(ctx).agentId),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
    ]);
    if (!team) throw notFound("team");
    return { agent, team };
  },
};
