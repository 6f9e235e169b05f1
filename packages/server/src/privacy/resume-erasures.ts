import type { Operation } from "../context.ts";
import { unfinishedJob } from "../jobs/job-store.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { lateErasures, teamsWithLateErasures } from "./erasure-store.ts";

/**
 * Stores the jobs of erasures again that have been running since before `before` and have none: theirs was lost, or has failed for
 * good. Returns how many.
 */
export const resumeErasures: Operation<{ before: number }, number> = {
  name: "resume-erasures",
  mode: "write",
  async run(ctx, { before }) {
    if (await ctx.db.first(unfinishedJob, { team_id: ctx.teamId, kind: "erase" })) return 0;
    const late = await ctx.db.all(lateErasures, { team_id: ctx.teamId, before });
    for (const { id } of late) ctx.enqueue({ kind: "erase", payload: { erasureId: id } });
    return late.length;
  },
};

/** The same for every team. */
export async function resumeAllErasures(
  { storage, perform }: { storage: Storage; perform: Perform },
  before: number,
): Promise<number> {
  let resumed = 0;
  for (const { team_id: teamId } of await storage.read((db) => db.all(teamsWithLateErasures, { before }))) {
    resumed += await perform({ kind: "system", teamId }, resumeErasures, { before });
  }
  return resumed;
}
