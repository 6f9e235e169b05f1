import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { TeamRow } from "../storage/tables.ts";
import { teamById, updateTeamRow } from "./team-store.ts";

/** Renames the team. The present name changes nothing and records nothing. */
export const renameTeam: Operation<{ name: string }, TeamRow> = {
  name: "rename-team",
  mode: "write",
  async run(ctx, { name }) {
    const before = await ctx.db.first(teamById, { team_id: ctx.teamId });
    if (!before) throw notFound("team");
    if (before.name === name) return before;
    const team: TeamRow = { ...before, name };
    ctx.write(updateTeamRow, { team_id: team.team_id, name: team.name, api_access: team.api_access });
    ctx.record({ name: "team.updated", team });
    return team;
  },
};
