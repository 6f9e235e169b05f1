import { systemTimeouts } from "../timeouts.ts";
import type { JobOutcome } from "./attempt-ending.ts";
import { type ClaimedJob, claimNextJob } from "./claim-job.ts";
import { jobKinds, jobSettings } from "./job-kinds.ts";
import { teamsWithDueJobs } from "./job-store.ts";
import { type JobServices, runJob } from "./run-job.ts";

export interface JobRunner {
  start(): void;
  /** The team has new jobs. */
  wake(teamId: string): void;
  /** Takes no more jobs, aborts the running ones, and waits a while for them. */
  stop(): Promise<void>;
}

/**
 * How often to look for jobs that no commit of this process has announced: retries, jobs of other processes, expired leases.
 */
const POLL_MS = 5_000;
const STOP_TIMEOUT_MS = 10_000;

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
 * is ever logged. `clean-up.ts` has how long they are kept. docs/decisions/0038-jobs-and-timers.md
 */
export function createJobRunner({
  timeouts = systemTimeouts,
  onEnd = () => {},
  ...given
}: Omit<JobServices, "timeouts"> & {
  /** The timers for the next poll and the next renewal; tests replace them. */
  timeouts?: JobServices["timeouts"];
  /** Called after each attempt, for the metrics. */
  onEnd?: (kind: string, outcome: JobOutcome) => void;
}): JobRunner {
  const services: JobServices = { ...given, timeouts };
  const { storage, runtime, logger } = services;
  /** Teams that may have a due job. */
  const teams = new Set<string>();
  /** Teams whose due jobs may all be of kinds that were busy at the last look. */
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
      const now = { now: runtime.now(), steady_now: runtime.steadyNow() };
      for (const { team_id } of await storage.read((db) => db.all(teamsWithDueJobs, now))) teams.add(team_id);
      claimMore();
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ err: error }, "Cannot look for jobs. Retrying shortly.");
    }
    if (!stopping.signal.aborted) cancelPoll = timeouts.after(POLL_MS, () => void look());
  }

  function claimMore(): void {
    claiming ??= claimOneByOne()
      .catch((error) => {
        logger.warn({ err: error }, "Cannot claim a job. Retrying shortly.");
        teams.clear();
      })
      .finally(() => {
        claiming = undefined;
        if (teams.size > 0 && mayClaim()) claimMore();
      });
  }

  /** One claim after another, so that no two take the last slot of a kind. A team with more jobs goes last in the line. */
  async function claimOneByOne(): Promise<void> {
    for (let teamId = nextTeam(); teamId !== undefined; teamId = nextTeam()) {
      const busy = busyKinds();
      const job = await storage.write(teamId, (db) => claimNextJob(db, runtime, { teamId, busy }));
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

  function begin(job: ClaimedJob): void {
    atWork.set(job.kind, (atWork.get(job.kind) ?? 0) + 1);
    const work: Promise<void> = runJob(services, job, stopping.signal)
      .then((outcome) => onEnd(job.kind, outcome))
      .catch((error) => logger.warn({ err: error }, "Cannot store the end of a job. Its lease will expire."))
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
}
