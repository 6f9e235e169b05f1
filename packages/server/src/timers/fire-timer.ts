import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Operation, Runtime } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Perform } from "../perform.ts";
import { type Storage, StorageUnavailable } from "../storage/database.ts";
import type { FiredTimer, TimerHandler, TimerHandlers, TimerKind } from "./timer.ts";
import { type DueTimer, deleteTimer, endTimer, postponeTimer, timerByKey } from "./timer-store.ts";

/** How a due timer ended. `elsewhere`: it was moved or cancelled, or another process has fired it. */
export type TimerEnd =
  | { outcome: "fired" | "elsewhere" | "gone" | "failed" }
  /** Its attempt failed; the next one is at `dueAt`, ms since the epoch. */
  | { outcome: "waiting"; dueAt: number };

export interface TimerServices {
  storage: Storage;
  runtime: Pick<Runtime, "now">;
  perform: Perform;
  handlers: TimerHandlers;
  logger: Logger;
}

/** The wait after each failed attempt; after the last one the timer has failed. */
const RETRY_WAITS_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];
const MAX_ERROR_LENGTH = 500;

/**
 * Fires a timer that was found to be due, by the diagram in `timer-worker.ts`.
 *
 * @throws StorageUnavailable when the storage is away: then no attempt was made
 */
export async function fireTimer(services: TimerServices, timer: DueTimer): Promise<TimerEnd> {
  const { handlers } = services;
  try {
    if (!isKnown(handlers, timer.kind)) throw new Error("This version of the program knows no timers of this kind.");
    return { outcome: await performBy(services, handlers[timer.kind] as TimerHandler<TimerKind>, timer) };
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    if (error instanceof Refusal) return end(services, timer, error);
    return postpone(services, timer, error);
  }
}

const isKnown = (handlers: TimerHandlers, kind: string): kind is TimerKind => Object.hasOwn(handlers, kind);

async function performBy(
  { storage, perform }: TimerServices,
  handler: TimerHandler<TimerKind>,
  timer: DueTimer,
): Promise<"fired" | "elsewhere"> {
  const system = { kind: "system", teamId: timer.team_id } as const;
  try {
    const actor = handler.actor ? await handler.actor(storage, timer) : system;
    return await perform(actor, firedOnce(handler, timer), undefined);
  } catch (error) {
    if (!handler.refused || !(error instanceof Refusal)) throw error;
    return perform(system, firedOnce(handler.refused, timer), undefined);
  }
}

/** The timer's operation, in the commit that ends the timer, unless the timer has changed since it was found. */
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

async function end({ storage, logger }: TimerServices, timer: DueTimer, refusal: Refusal): Promise<TimerEnd> {
  const ended = await storage.write(timer.team_id, (db) => db.run(endTimer, timer));
  if (ended === 0) return { outcome: "elsewhere" };
  logger.info({ kind: timer.kind, subject: timer.subject_id, reason: refusal.message }, "A timer had nothing to do.");
  return { outcome: "gone" };
}

async function postpone(
  { storage, runtime, logger }: TimerServices,
  timer: DueTimer,
  error: unknown,
): Promise<TimerEnd> {
  const now = runtime.now();
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
  const changed = await storage.write(timer.team_id, (db) => db.run(postponeTimer, moved));
  if (changed === 0) return { outcome: "elsewhere" };
  const about = { kind: timer.kind, subject: timer.subject_id, attempt: moved.attempts, reason };
  logger.warn(about, wait === undefined ? "A timer failed permanently." : "A timer failed.");
  return wait === undefined ? { outcome: "failed" } : { outcome: "waiting", dueAt: moved.due_at };
}
