import type { Runtime } from "../context.ts";
import type { Database } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import type { JobRow } from "../storage/tables.ts";
import { endingOf } from "./attempt-ending.ts";
import { jobSettings } from "./job-kinds.ts";
import { claimJob, dueJob, finishJob } from "./job-store.ts";

/** A job that this process runs until its lease is over. */
export type ClaimedJob = JobRow & { lease_until: number };

/** Claims the team's oldest due job that may run and is of no busy kind, and counts the attempt before it is made. */
export async function claimNextJob(
  db: Database,
  runtime: Pick<Runtime, "now" | "steadyNow" | "newId">,
  { teamId, busy }: { teamId: string; busy: readonly string[] },
): Promise<ClaimedJob | undefined> {
  for (;;) {
    const [now, steadyNow] = [runtime.now(), runtime.steadyNow()];
    const job = await db.first(dueJob, { team_id: teamId, now, steady_now: steadyNow, busy: listParam(busy) });
    if (!job) return undefined;
    const { leaseMs, retryWaitsMs } = jobSettings(job.kind);
    if (job.attempts > retryWaitsMs.length) {
      // Each attempt ended with its process: the job itself may be what kills it.
      await db.run(finishJob, endingOf(job, { error: "The process ended while the job ran." }, now));
      continue;
    }
    const claimed = {
      ...job,
      attempts: job.attempts + 1,
      claim_id: runtime.newId(),
      lease_until: steadyNow + leaseMs,
    };
    await db.run(claimJob, claimed);
    return claimed;
  }
}
