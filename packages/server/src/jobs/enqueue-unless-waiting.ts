import type { Context } from "../context.ts";
import type { JobRequest } from "./job.ts";
import { waitingJob } from "./job-store.ts";

/**
 * Enqueues a job that does all the work that is there when it begins, unless one of its key waits that has not begun. One that runs may
 * have looked for the last time.
 *
 * A claim cannot come between the look and the commit: writes of a team are serial, by the lock on the team on PostgreSQL.
 */
export async function enqueueUnlessWaiting(ctx: Context, job: JobRequest & { queueKey: string }): Promise<void> {
  const of = { team_id: ctx.teamId, queue_key: job.queueKey };
  if (!(await ctx.db.first(waitingJob, of))) ctx.enqueue(job);
}
