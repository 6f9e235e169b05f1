import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { TeamRow } from "../storage/tables.ts";
import { teamById } from "./team-store.ts";

/** The actor's own team, for the pages that show it. */
export const getTeam: Operation<Record<never, never>, TeamRow> = {
  name: "get-team",
  mode: "read",
  async run(ctx) {
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    if (!team) throw notFound("team");
    return team;
  },
};
