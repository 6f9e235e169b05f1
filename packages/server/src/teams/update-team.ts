import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { TeamRow } from "../storage/tables.ts";
import { teamById, updateTeamRow } from "./team-store.ts";

/** Switches the team's API access (decision 29). The present state changes nothing and records nothing. */
export const updateTeam: Operation<{ apiAccess: boolean }, TeamRow> = {
  name: "update-team",
  mode: "write",
  async run(ctx, { apiAccess }) {
    const before = await ctx.db.first(teamById, { team_id: ctx.teamId });
    if (!before) throw notFound("team");
    const team: TeamRow = { ...before, api_access: apiAccess ? 1 : 0 };
    if (team.api_access === before.api_access) return before;
    ctx.db.announce("access");
    ctx.write(updateTeamRow, { team_id: team.team_id, name: team.name, api_access: team.api_access });
    ctx.record({ name: "team.updated", team });
    return team;
  },
};
