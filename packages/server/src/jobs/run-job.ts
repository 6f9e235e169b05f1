import type { Vault } from "../access/vault.ts";
import type { Runtime } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Storage } from "../storage/database.ts";
import type { JobRow } from "../storage/tables.ts";
import type { Timeouts } from "../timeouts.ts";
import { type AttemptResult, endingOf, type JobOutcome } from "./attempt-ending.ts";
import type { ClaimedJob } from "./claim-job.ts";
import { holdLease } from "./hold-lease.ts";
import type { JobHandler, JobHandlers, JobKind, RunningJob } from "./job.ts";
import { isJobKind, isRetired, jobSettings } from "./job-kinds.ts";
import { finishJob, payloadPlace, renewJob } from "./job-store.ts";

export interface JobServices {
  storage: Storage;
  runtime: Runtime;
  vault: Vault;
  handlers: JobHandlers;
  logger: Logger;
  timeouts: Timeouts;
}

const MAX_ERROR_LENGTH = 500;

/**
 * Makes one attempt at a claimed job, renewing its lease meanwhile, and stores how it ended.
 *
 * @param stopping aborted when the process stops
 */
export async function runJob(services: JobServices, job: ClaimedJob, stopping: AbortSignal): Promise<JobOutcome> {
  const { storage, runtime, timeouts, logger } = services;
  const lease = holdLease({
    leaseMs: jobSettings(job.kind).leaseMs,
    leaseUntil: job.lease_until,
    renew: async (leaseUntil) => {
      const renewal = { ...job, lease_until: leaseUntil };
      return (await storage.write(job.team_id, (db) => db.run(renewJob, renewal))) > 0;
    },
    steadyNow: runtime.steadyNow,
    timeouts,
  });
  const result = await attempt(services, job, { lost: lease.signal, stopping }).finally(lease.end);
  const after = endingOf(job, result, runtime.now());
  const changed = await storage.write(job.team_id, (db) => db.run(finishJob, after));
  if (changed === 0)
    logger.warn({ job: job.id, kind: job.kind }, "A job outlived its lease and was taken over by another process.");
  return result.released ? "released" : after.state;
}

async function attempt(
  { vault, handlers, logger }: JobServices,
  job: JobRow,
  { lost, stopping }: { lost: AbortSignal; stopping: AbortSignal },
): Promise<AttemptResult> {
  try {
    if (isRetired(job.kind)) return {};
    stopping.throwIfAborted();
    if (!isJobKind(job.kind)) throw new Error("This version of the program knows no jobs of this kind.");
    const handler = handlers[job.kind] as JobHandler<JobKind>;
    const payload = JSON.parse(vault.open(job.payload_sealed, payloadPlace(job)));
    const signal = AbortSignal.any([lost, stopping]);
    const about: RunningJob = { teamId: job.team_id, id: job.id, cause: job.cause, signal };
    await handler(payload, about);
    return {};
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
    if (stopping.aborted) return { error: reason, released: true };
    logger.warn({ job: job.id, kind: job.kind, attempt: job.attempts, reason }, "A job failed.");
    return { error: reason };
  }
}
