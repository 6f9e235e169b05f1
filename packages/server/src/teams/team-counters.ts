import type { Context } from "../context.ts";
import type { TeamCountersRow } from "../storage/tables.ts";
import { teamCounters } from "./team-store.ts";

/** The stored totals of the team. */
export async function countersOf(ctx: Context): Promise<TeamCountersRow> {
  const counters = await ctx.db.first(teamCounters, { team_id: ctx.teamId });
  if (!counters) throw new Error(`Team ${ctx.teamId} does not exist.`);
  return counters;
}
