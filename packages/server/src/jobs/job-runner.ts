import type { Vault } from "../access/vault.ts";
import type { Machine } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Storage } from "../storage/database.ts";
import type { JobRow } from "../storage/tables.ts";
import type { JobKind } from "./job.ts";
import { claimJob, dueJob, finishJob, payloadPlace, teamsWithDueJobs } from "./job-store.ts";

/** What does the work of each kind. It runs outside any transaction, and has failed when it rejects. */
export type JobHandlers = Partial<Record<JobKind, (payload: unknown) => Promise<void>>>;

/** How an attempt ended. */
export type JobOutcome = "done" | "waiting" | "failed";

export interface JobRunner {
  start(): void;
  /** The team has new jobs. */
  wake(teamId: string): void;
  /** Takes no more jobs, and waits a while for those that run. */
  stop(): Promise<void>;
}

/** How long after a failed attempt the next one follows; after the last of them the job has failed. */
const RETRY_WAITS_MS = [30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];
const MAX_ATTEMPTS = RETRY_WAITS_MS.length + 1;
/** Longer than a handler takes. A process that dies holds its jobs back no longer than this. */
const LEASE_MS = 60_000;
const MAX_AT_ONCE = 4;
/** Finds what nobody told us of: retries, jobs of a command line or of another process, leases that ran out. */
const POLL_MS = 5_000;
const STOP_TIMEOUT_MS = 10_000;
const MAX_ERROR_LENGTH = 500;

/**
 * Does the stored jobs, each at least once.
 *
 * ```
 *                .----------- it fails: due again after a wait -----------.
 *                v                                                        |
 * enqueued --> waiting --(it is due: claimed for 60 s)--> running --------+--> done
 *                                                         |  ^  |
 *                        the lease runs out (process died)'--'  '--(the sixth attempt fails, or its process dies)--> failed
 * ```
 * An attempt ends by compare and set on its claim, so that one that outlived its lease changes nothing. Done and failed
 * jobs lose their payload: it may hold a link with a token. For the same reason no payload is ever logged. How long they
 * are kept is said in `clean-up.ts`.
 */
export function createJobRunner({
  storage,
  machine,
  vault,
  handlers,
  logger,
  onEnd = () => {},
}: {
  storage: Storage;
  machine: Machine;
  vault: Vault;
  handlers: JobHandlers;
  logger: Logger;
  /** Called after each attempt, for the metrics. */
  onEnd?: (kind: string, outcome: JobOutcome) => void;
}): JobRunner {
  /** Teams that may have a due job. */
  const teams = new Set<string>();
  const running = new Set<Promise<void>>();
  let poll: NodeJS.Timeout | undefined;
  let stopped = false;

  return {
    start() {
      poll = setInterval(look, POLL_MS).unref();
      void look();
    },
    wake(teamId) {
      teams.add(teamId);
      takeMore();
    },
    async stop() {
      stopped = true;
      clearInterval(poll);
      await Promise.race([Promise.all(running), new Promise((done) => setTimeout(done, STOP_TIMEOUT_MS).unref())]);
    },
  };

  async function look(): Promise<void> {
    try {
      for (const { team_id } of await storage.read((db) => db.all(teamsWithDueJobs, { now: machine.now() }))) {
        teams.add(team_id);
      }
      takeMore();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "Cannot look for jobs; trying again shortly.");
    }
  }

  function takeMore(): void {
    for (const teamId of teams) {
      if (stopped || running.size >= MAX_AT_ONCE) return;
      teams.delete(teamId);
      const work: Promise<void> = runNext(teamId)
        .catch((error) => logger.warn({ err: error }, "A job could not be taken or ended; its lease will run out."))
        .finally(() => {
          running.delete(work);
          takeMore();
        });
      running.add(work);
    }
  }

  async function runNext(teamId: string): Promise<void> {
    const job = await claim(teamId);
    if (!job) return;
    // The team may have another one: behind the other teams that wait.
    teams.add(teamId);
    takeMore();
    const error = await attempt(job);
    const after = ending(job, error, machine.now());
    const changed = await storage.write(teamId, (db) => db.run(finishJob, after));
    onEnd(job.kind, after.state);
    if (changed === 0)
      logger.warn({ job: job.id, kind: job.kind }, "A job outlived its lease and was taken by another process.");
  }

  /** Takes the team's oldest due job, and counts the attempt before it is made. */
  async function claim(teamId: string): Promise<JobRow | undefined> {
    return storage.write(teamId, async (db) => {
      const now = machine.now();
      for (;;) {
        const job = await db.first(dueJob, { team_id: teamId, now });
        if (!job) return undefined;
        if (job.attempts >= MAX_ATTEMPTS) {
          // Each attempt ended with its process: the job itself may be what ends it.
          await db.run(finishJob, ending(job, "The process ended while the job ran.", now));
          continue;
        }
        const claimed = { ...job, attempts: job.attempts + 1, claim_id: machine.newId(), lease_until: now + LEASE_MS };
        await db.run(claimJob, claimed);
        return claimed;
      }
    });
  }

  /** Undefined when it went well, else what went wrong. */
  async function attempt(job: JobRow): Promise<string | undefined> {
    try {
      const handler = handlers[job.kind as JobKind];
      if (!handler) throw new Error("Nobody here does jobs of this kind.");
      await handler(JSON.parse(vault.open(job.payload_sealed, payloadPlace(job))));
      return undefined;
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
      logger.warn({ job: job.id, kind: job.kind, attempt: job.attempts, reason }, "A job failed.");
      return reason;
    }
  }
}

/** The row after an attempt, by the diagram above. */
function ending(job: JobRow, error: string | undefined, now: number): JobRow & { state: JobOutcome } {
  const wait = RETRY_WAITS_MS[job.attempts - 1];
  if (error === undefined) return { ...job, state: "done", run_at: now, payload_sealed: "", last_error: null };
  if (wait === undefined) return { ...job, state: "failed", run_at: now, payload_sealed: "", last_error: error };
  return { ...job, state: "waiting", run_at: now + wait, last_error: error };
}
