import type { Vault } from "../access/vault.ts";
import type { Machine } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Storage } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import type { JobRow } from "../storage/tables.ts";
import { systemTimeouts, type Timeouts } from "../timeouts.ts";
import { holdLease } from "./hold-lease.ts";
import type { JobHandler, JobHandlers, JobKind, RunningJob } from "./job.ts";
import { isJobKind, isRetired, jobKinds, jobSettings } from "./job-kinds.ts";
import { claimJob, dueJob, finishJob, payloadPlace, renewJob, teamsWithDueJobs } from "./job-store.ts";

/** How an attempt ended. `released`: the process stopped, and the attempt does not count. */
export type JobOutcome = "done" | "waiting" | "failed" | "released";

export interface JobRunner {
  start(): void;
  /** The team has new jobs. */
  wake(teamId: string): void;
  /** Takes no more jobs, tells those that run to end, and waits a while for them. */
  stop(): Promise<void>;
}

/** Finds what no commit of this process has announced: retries, jobs of other processes, leases that ran out. */
const POLL_MS = 5_000;
const STOP_TIMEOUT_MS = 10_000;
const MAX_ERROR_LENGTH = 500;

/**
 * Runs the stored jobs, each at least once.
 *
 * ```
 *                .----------- it fails: due again after a wait -----------.
 *                |   .------- the process stops: due at once, not counted-+
 *                v   v                                                    |
 * enqueued --> waiting --(due, no other of its key is ahead)--> running --+--> done
 *                                                               |  ^      |
 *                      the lease runs out (its process died): --'  '      '--> failed (the last attempt fails, or
 *                      claimed by another                                             its process dies)
 * ```
 * An attempt is counted before it is made, and ends by compare and set on its claim, so that one that outlived its lease
 * changes nothing. Done and failed jobs lose their payload: it may hold a link with a token. For the same reason no payload
 * is ever logged. How long they are kept is said in `clean-up.ts`. docs/decisions/0038-jobs-and-timers.md
 */
export function createJobRunner({
  storage,
  machine,
  vault,
  handlers,
  logger,
  timeouts = systemTimeouts,
  onEnd = () => {},
}: {
  storage: Storage;
  machine: Machine;
  vault: Vault;
  handlers: JobHandlers;
  logger: Logger;
  /** How it waits for the next poll and the next renewal, where that is not the system's way. */
  timeouts?: Timeouts;
  /** Called after each attempt, for the metrics. */
  onEnd?: (kind: string, outcome: JobOutcome) => void;
}): JobRunner {
  /** Teams that may have a due job. */
  const teams = new Set<string>();
  /** Teams whose due jobs may all be of kinds that were busy when they were looked at. */
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  const atWork = new Map<string, number>();
  const stopping = new AbortController();
  let claiming: Promise<void> | undefined;
  let cancelPoll = () => {};

  return {
    start() {
      void look();
    },
    wake(teamId) {
      teams.add(teamId);
      claimMore();
    },
    async stop() {
      stopping.abort(new Error("The process stops."));
      cancelPoll();
      const ended = async () => {
        await claiming;
        await Promise.all(running);
      };
      await Promise.race([ended(), new Promise((done) => setTimeout(done, STOP_TIMEOUT_MS).unref())]);
    },
  };

  async function look(): Promise<void> {
    try {
      for (const { team_id } of await storage.read((db) => db.all(teamsWithDueJobs, nowAndLeases()))) {
        teams.add(team_id);
      }
      claimMore();
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error }, "Cannot look for jobs; trying again shortly.");
    }
    if (!stopping.signal.aborted) cancelPoll = timeouts.after(POLL_MS, () => void look());
  }

  function claimMore(): void {
    claiming ??= claimInTurn()
      .catch((error) => {
        logger.warn({ err: error }, "A job could not be claimed; trying again shortly.");
        teams.clear();
      })
      .finally(() => {
        claiming = undefined;
        if (teams.size > 0 && mayClaim()) claimMore();
      });
  }

  /** One claim after another, so that no two take the last place of a kind. A team with more jobs goes to the end of the line. */
  async function claimInTurn(): Promise<void> {
    for (let teamId = nextTeam(); teamId !== undefined; teamId = nextTeam()) {
      const busy = busyKinds();
      const job = await claim(teamId, busy);
      if (job) {
        teams.add(teamId);
        begin(job);
      } else if (busy.length > 0) {
        held.add(teamId);
      }
    }
  }

  function nextTeam(): string | undefined {
    if (!mayClaim()) return undefined;
    const [teamId] = teams;
    if (teamId !== undefined) teams.delete(teamId);
    return teamId;
  }

  function mayClaim(): boolean {
    const busy = busyKinds();
    return !stopping.signal.aborted && Object.keys(jobKinds).some((kind) => !busy.includes(kind));
  }

  function busyKinds(): string[] {
    return [...atWork].flatMap(([kind, count]) => (count >= jobSettings(kind).atOnce ? [kind] : []));
  }

  /** Claims the team's oldest due job that may run, and counts the attempt before it is made. */
  async function claim(teamId: string, busy: readonly string[]): Promise<ClaimedJob | undefined> {
    return storage.write(teamId, async (db) => {
      for (;;) {
        const now = nowAndLeases();
        const job = await db.first(dueJob, { team_id: teamId, ...now, busy: listParam(busy) });
        if (!job) return undefined;
        const { leaseMs, retryWaitsMs } = jobSettings(job.kind);
        if (job.attempts > retryWaitsMs.length) {
          // Each attempt ended with its process: the job itself may be what ends it.
          await db.run(finishJob, ending(job, { error: "The process ended while the job ran." }, now.now));
          continue;
        }
        const claimed = {
          ...job,
          attempts: job.attempts + 1,
          claim_id: machine.newId(),
          lease_until: now.steady_now + leaseMs,
        };
        await db.run(claimJob, claimed);
        return claimed;
      }
    });
  }

  function begin(job: ClaimedJob): void {
    atWork.set(job.kind, (atWork.get(job.kind) ?? 0) + 1);
    const work: Promise<void> = run(job)
      .catch((error) => logger.warn({ err: error }, "The end of a job could not be stored; its lease will run out."))
      .finally(() => {
        running.delete(work);
        atWork.set(job.kind, (atWork.get(job.kind) ?? 1) - 1);
        for (const teamId of held) teams.add(teamId);
        held.clear();
        // Another job of its key may have waited for this one.
        if (job.queue_key !== null) teams.add(job.team_id);
        claimMore();
      });
    running.add(work);
  }

  async function run(job: ClaimedJob): Promise<void> {
    const lease = holdLease({
      leaseMs: jobSettings(job.kind).leaseMs,
      leaseUntil: job.lease_until,
      renew: async (leaseUntil) => {
        const renewal = { ...job, lease_until: leaseUntil };
        return (await storage.write(job.team_id, (db) => db.run(renewJob, renewal))) > 0;
      },
      steadyNow: machine.steadyNow,
      timeouts,
    });
    const result = await attempt(job, AbortSignal.any([lease.signal, stopping.signal])).finally(lease.end);
    const after = ending(job, result, machine.now());
    const changed = await storage.write(job.team_id, (db) => db.run(finishJob, after));
    onEnd(job.kind, result.released ? "released" : after.state);
    if (changed === 0)
      logger.warn({ job: job.id, kind: job.kind }, "A job outlived its lease and was taken by another process.");
  }

  async function attempt(job: JobRow, signal: AbortSignal): Promise<AttemptResult> {
    try {
      if (isRetired(job.kind)) return {};
      stopping.signal.throwIfAborted();
      if (!isJobKind(job.kind)) throw new Error("This version of the program knows no jobs of this kind.");
      const handler = handlers[job.kind] as JobHandler<JobKind>;
      const payload = JSON.parse(vault.open(job.payload_sealed, payloadPlace(job)));
      const about: RunningJob = { teamId: job.team_id, id: job.id, cause: job.cause, signal };
      await handler(payload, about);
      return {};
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
      if (stopping.signal.aborted) return { error: reason, released: true };
      logger.warn({ job: job.id, kind: job.kind, attempt: job.attempts, reason }, "A job failed.");
      return { error: reason };
    }
  }

  function nowAndLeases() {
    return { now: machine.now(), steady_now: machine.steadyNow() };
  }
}

type ClaimedJob = JobRow & { lease_until: number };

interface AttemptResult {
  /** What went wrong; undefined when it went well. */
  error?: string;
  /** It broke off because the process stops. */
  released?: boolean;
}

/** The row after an attempt, by the diagram above. */
function ending(
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
