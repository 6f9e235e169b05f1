import type { JobRow } from "../storage/tables.ts";
import { jobSettings } from "./job-kinds.ts";

/** How an attempt ended. `released`: the process stopped, and the attempt does not count. */
export type JobOutcome = "done" | "waiting" | "failed" | "released";

export interface AttemptResult {
  /** What went wrong; undefined when it went well. */
  error?: string;
  /** It broke off because the process stops. */
  released?: boolean;
}

/** The row after an attempt, by the diagram in `job-runner.ts`. */
export function endingOf(
  job: JobRow,
  { error, released }: AttemptResult,
  now: number,
): JobRow & { state: Exclude<JobOutcome, "released"> } {
  const wait = jobSettings(job.kind).retryWaitsMs[job.attempts - 1];
  if (error === undefined) return { ...job, state: "done", run_at: now, payload_sealed: "", last_error: null };
  if (released) return { ...job, state: "waiting", run_at: now, attempts: job.attempts - 1, last_error: error };
  if (wait === undefined) return { ...job, state: "failed", run_at: now, payload_sealed: "", last_error: error };
  return { ...job, state: "waiting", run_at: now + wait, last_error: error };
}
