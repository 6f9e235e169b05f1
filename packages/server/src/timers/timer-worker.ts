import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Machine, Operation } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Perform } from "../perform.ts";
import { type Storage, StorageUnavailable } from "../storage/database.ts";
import type { Timeouts } from "../timeouts.ts";
import type { FiredTimer, TimerHandlers, TimerKind } from "./timer.ts";
import {
  type DueTimer,
  deleteTimer,
  dueTimers,
  endTimer,
  nextTimer,
  postponeTimer,
  timerByKey,
} from "./timer-store.ts";

/** How a due timer ended. `elsewhere`: it was moved or cancelled, or another process has fired it. */
export type TimerOutcome = "fired" | "elsewhere" | "gone" | "waiting" | "failed";

export interface TimerWorker {
  start(): void;
  /** A timer was set for `dueAt`, ms since the epoch. */
  wake(dueAt: number): void;
  /** Waits for the timers that are firing, and fires no other. */
  stop(): Promise<void>;
}

/** Finds what other processes have set. */
const POLL_MS = 5_000;
/** Teams whose timers fire at once; within a team they fire one after the other. */
const TEAMS_AT_ONCE = 4;
/** Timers in one look. */
const MOST_OF_TEAM = 100;
const MOST_OF_ALL = 1_000;
/** How long after a failed attempt the next one follows; after the last of them the timer has failed. */
const RETRY_WAITS_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];
const MAX_ERROR_LENGTH = 500;

/**
 * Fires the stored timers, each once.
 *
 * ```
 *          .-- set again: moved --.
 *          v                      |
 * set --> waits ------------------+--(due: one commit reads it again, deletes it, and runs its operation)--> fired
 *          ^  |                   |
 *          |  |                   |--(cancelled; or the operation refuses: its subject is gone)------------> gone
 *          |  '--(it throws: moved by the table of waits, the attempt counted in a commit of its own)
 *          |                      |
 *          |                      '--(the last attempt throws)--> failed, kept with its reason for 30 days
 *          '---------------------- set again ------------------------'
 * ```
 * A process keeps in memory only what its last look has found and when the next timer is due:
 * ```
 *            the nearest due time, the poll, a commit that sets a timer
 *   asleep ------------------------------------------------------------> looks --> fires, a timer of each team in turn
 *     ^                                                                    ^               |             |
 *     |                                                                    '-- look full --'             |
 *     '------------------------------------------ nothing left -----------------------------------------'
 * ```
 * docs/decisions/0038-jobs-and-timers.md
 */
export function createTimerWorker({
  storage,
  machine,
  perform,
  handlers,
  logger,
  timeouts,
  onEnd = () => {},
}: {
  storage: Storage;
  machine: Pick<Machine, "now">;
  perform: Perform;
  handlers: TimerHandlers;
  logger: Logger;
  timeouts: Timeouts;
  /** Called after each attempt, for the metrics. */
  onEnd?: (kind: string, outcome: TimerOutcome) => void;
}): TimerWorker {
  /** What the last look has found, in the order in which the teams' turns come. */
  let found = new Map<string, DueTimer[]>();
  let wasFull = false;
  const firing = new Map<string, Promise<void>>();
  let looking: Promise<void> | undefined;
  /** When to look next, ms since the epoch. */
  let lookAt = Number.POSITIVE_INFINITY;
  let cancelLook = () => {};
  let started = false;
  let stopped = false;

  return {
    start() {
      started = true;
      lookAtLatest(machine.now());
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
    cancelLook = timeouts.after(Math.max(0, time - machine.now()), () => {
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
    const now = machine.now();
    lookAt = now + POLL_MS;
    try {
      const limits = { per_team: MOST_OF_TEAM, limit: MOST_OF_ALL };
      const [due, next] = await storage.read((db) =>
        Promise.all([db.all(dueTimers, { now, ...limits }), db.first(nextTimer, { now })]),
      );
      const byTeam = Map.groupBy(due, ({ team_id }) => team_id);
      // Teams that wait for their turn keep it.
      found = new Map([...new Set([...found.keys(), ...byTeam.keys()])].map((id) => [id, byTeam.get(id) ?? []]));
      wasFull = due.length === MOST_OF_ALL || [...found.values()].some(({ length }) => length === MOST_OF_TEAM);
      if (next) lookAt = Math.min(lookAt, next.due_at);
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "Cannot look for timers; trying again shortly.");
    }
  }

  function fireMore(): void {
    for (const [teamId, timers] of found) {
      if (stopped || firing.size >= TEAMS_AT_ONCE) return;
      if (firing.has(teamId)) continue;
      const [timer, ...rest] = timers;
      found.delete(teamId);
      // Behind the other teams.
      if (rest.length > 0) found.set(teamId, rest);
      if (timer) firing.set(teamId, fireOne(timer));
    }
    if (found.size === 0 && firing.size === 0 && wasFull) {
      wasFull = false;
      lookAtLatest(machine.now());
    }
  }

  async function fireOne(timer: DueTimer): Promise<void> {
    try {
      onEnd(timer.kind, await fire(timer));
    } catch (error) {
      // It is still there: the next poll finds it.
      logger.warn({ err: error, kind: timer.kind }, "A timer could not be fired; trying again shortly.");
      found.delete(timer.team_id);
    } finally {
      firing.delete(timer.team_id);
      fireMore();
    }
  }

  async function fire(timer: DueTimer): Promise<TimerOutcome> {
    const { team_id: teamId, kind } = timer;
    try {
      if (!isTimerKind(kind)) throw new Error("This version of the program knows no timers of this kind.");
      const operation = handlers[kind] as Operation<FiredTimer, void>;
      return await perform({ kind: "system", teamId }, firedOnce(operation, timer), undefined);
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      if (error instanceof Refusal) return end(timer, error);
      return postpone(timer, error);
    }
  }

  function isTimerKind(kind: string): kind is TimerKind {
    return Object.hasOwn(handlers, kind);
  }

  async function end(timer: DueTimer, refusal: Refusal): Promise<TimerOutcome> {
    const ended = await storage.write(timer.team_id, (db) => db.run(endTimer, timer));
    if (ended === 0) return "elsewhere";
    logger.info({ kind: timer.kind, subject: timer.subject_id, reason: refusal.message }, "A timer had nothing to do.");
    return "gone";
  }

  async function postpone(timer: DueTimer, error: unknown): Promise<TimerOutcome> {
    const now = machine.now();
    const wait = RETRY_WAITS_MS[timer.attempts];
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
    const moved = {
      ...timer,
      due_at: wait === undefined ? timer.due_at : now + wait,
      attempts: timer.attempts + 1,
      seen_attempts: timer.attempts,
      last_error: reason,
      failed_at: wait === undefined ? now : null,
    };
    if ((await storage.write(timer.team_id, (db) => db.run(postponeTimer, moved))) === 0) return "elsewhere";
    const about = { kind: timer.kind, subject: timer.subject_id, attempt: moved.attempts, reason };
    logger.warn(about, wait === undefined ? "A timer has failed for good." : "A timer failed.");
    if (wait === undefined) return "failed";
    lookAtLatest(moved.due_at);
    return "waiting";
  }
}

/** The timer's operation, in the commit that ends the timer, unless it is not the one that was seen any more. */
function firedOnce(
  operation: Operation<FiredTimer, void>,
  seen: DueTimer,
): Operation<undefined, "fired" | "elsewhere"> {
  return {
    name: operation.name,
    mode: "write",
    async run(ctx) {
      const timer = await ctx.db.first(timerByKey, seen);
      const isSeen = timer?.armed_for === seen.armed_for && timer.due_at <= ctx.now && timer.failed_at === null;
      if (!isSeen) return "elsewhere";
      ctx.write(deleteTimer, seen);
      const data = timer.data === null ? null : JSON.parse(timer.data);
      await operation.run(ctx, { subjectId: timer.subject_id, armedFor: timer.armed_for, data });
      return "fired";
    },
  };
}
