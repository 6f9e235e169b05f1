import type { Timeouts } from "../timeouts.ts";
import { fireTimer, type TimerEnd, type TimerServices } from "./fire-timer.ts";
import { type DueTimer, dueTimers, nextTimer } from "./timer-store.ts";

export type TimerOutcome = TimerEnd["outcome"];

export interface TimerWorker {
  start(): void;
  /** A timer was set for `dueAt`, ms since the epoch. */
  wake(dueAt: number): void;
  /** Waits for the timers that are firing, and fires no more. */
  stop(): Promise<void>;
}

/** How often to look for timers that other processes have set. */
const POLL_MS = 5_000;
/** How many teams' timers fire at once; within a team they fire one after the other. */
const TEAMS_AT_ONCE = 4;
/** Timers read in one look. */
const MOST_OF_TEAM = 100;
const MOST_OF_ALL = 1_000;

/**
 * Fires the stored timers, each once.
 *
 * ```
 * set --> waits --(due: one commit reads it again, deletes it, and runs its operation)--> fired
 *         ^ | |
 *         | | |--(cancelled; or its operation refuses: its subject is gone)--> gone
 *         | | '--(set again)--> waits for another moment
 *         | |
 *         | '--(its operation throws: the attempt is counted in a commit of its own)
 *         |      |--> waits for the next attempt, by the table of waits
 *         |      '--> after the last: failed, kept with its reason for 30 days
 *         '------------------(set again)----'
 * ```
 * A process keeps in memory only what its last look has found and when the next timer is due:
 * ```
 *            the nearest due time, the poll, a commit that sets a timer
 *   asleep ------------------------------------------------------------> looks --> fires, a timer of each team in turn
 *     ^                                                                  ^                 |       |
 *     |                                                                  '- look was full -'       |
 *     '--------------------------------------- nothing left ---------------------------------------'
 * ```
 * docs/decisions/0038-jobs-and-timers.md
 */
export function createTimerWorker({
  timeouts,
  onEnd = () => {},
  ...services
}: TimerServices & {
  timeouts: Timeouts;
  /** Called after each attempt, for the metrics. */
  onEnd?: (kind: string, outcome: TimerOutcome) => void;
}): TimerWorker {
  const { storage, runtime, logger } = services;
  /** The timers found by the last look, in the order of their teams. */
  let found = new Map<string, DueTimer[]>();
  let wasFull = false;
  const firing = new Map<string, Promise<void>>();
  let looking: Promise<void> | undefined;
  /** The time of the next look, ms since the epoch. */
  let lookAt = Number.POSITIVE_INFINITY;
  let cancelLook = () => {};
  let started = false;
  let stopped = false;

  return {
    start() {
      started = true;
      lookAtLatest(runtime.now());
    },
    wake: lookAtLatest,
    async stop() {
      stopped = true;
      cancelLook();
      await looking;
      await Promise.all(firing.values());
    },
  };

  function lookAtLatest(time: number): void {
    if (!started || stopped || time >= lookAt) return;
    lookAt = time;
    cancelLook();
    if (looking) return;
    cancelLook = timeouts.after(Math.max(0, time - runtime.now()), () => {
      looking = look().finally(() => {
        looking = undefined;
        fireMore();
        // Set while this look was under way.
        const next = lookAt;
        lookAt = Number.POSITIVE_INFINITY;
        lookAtLatest(next);
      });
    });
  }

  async function look(): Promise<void> {
    const now = runtime.now();
    lookAt = now + POLL_MS;
    try {
      const limits = { per_team: MOST_OF_TEAM, limit: MOST_OF_ALL };
      const [due, next] = await storage.read((db) =>
        Promise.all([db.all(dueTimers, { now, ...limits }), db.first(nextTimer, { now })]),
      );
      const byTeam = Map.groupBy(due, ({ team_id }) => team_id);
      // Teams that wait keep their position.
      found = new Map([...new Set([...found.keys(), ...byTeam.keys()])].map((id) => [id, byTeam.get(id) ?? []]));
      wasFull = due.length === MOST_OF_ALL || [...found.values()].some(({ length }) => length === MOST_OF_TEAM);
      if (next) lookAt = Math.min(lookAt, next.due_at);
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "Cannot look for timers. Retrying shortly.");
    }
  }

  function fireMore(): void {
    for (const [teamId, timers] of found) {
      if (stopped || firing.size >= TEAMS_AT_ONCE) return;
      if (firing.has(teamId)) continue;
      const [timer, ...rest] = timers;
      found.delete(teamId);
      // Goes behind the other teams.
      if (rest.length > 0) found.set(teamId, rest);
      if (timer) firing.set(teamId, fireOne(timer));
    }
    if (found.size === 0 && firing.size === 0 && wasFull) {
      wasFull = false;
      lookAtLatest(runtime.now());
    }
  }

  async function fireOne(timer: DueTimer): Promise<void> {
    try {
      const ended = await fireTimer(services, timer);
      onEnd(timer.kind, ended.outcome);
      if (ended.outcome === "waiting") lookAtLatest(ended.dueAt);
    } catch (error) {
      // It is still stored: the next poll finds it.
      logger.warn({ err: error, kind: timer.kind }, "Cannot fire a timer. Retrying shortly.");
      found.delete(timer.team_id);
    } finally {
      firing.delete(timer.team_id);
      fireMore();
    }
  }
}
