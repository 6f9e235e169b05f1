import { nextStep } from "@frontdesk/core/domain/retry-schedule";
import type { Runtime } from "../context.ts";
import type { Database } from "../storage/database.ts";
import type { OutboxQueueRow } from "../storage/tables.ts";
import {
  type AttemptEnd,
  deleteAttempts,
  endAttempts,
  type ItemEnd,
  listedItems,
  type NewAttempt,
  writeAttempts,
} from "./attempt-store.ts";
import { isReleased } from "./choose-items.ts";
import type { ClaimedItem, EndedAttempt } from "./claim-items.ts";
import type { OfQueue } from "./outbox-store.ts";

/** Writes how attempts ended and what becomes of their items, in at most three statements, however many there are. */
export function writeEnds(
  db: Database,
  runtime: Runtime,
  waits: readonly number[],
  name: OfQueue,
  ended: readonly EndedAttempt[],
): Promise<unknown>[] {
  const unsent = ended.filter(({ result }) => result === "unsent").map(({ item }) => attemptOf(item));
  const attempts = ended.flatMap((one) => attemptEnd(one));
  const items = ended.map((one) => itemEnd(one, waits, runtime));
  return [
    ...(unsent.length > 0 ? [db.run(deleteAttempts, { ...name, ...listedItems(unsent) })] : []),
    ...(attempts.length > 0 ? [db.run(writeAttempts, { ...name, ...listedItems(attempts) })] : []),
    ...(items.length > 0 ? [db.run(endAttempts, { ...name, ...listedItems(items) })] : []),
  ];
}

/** Whether an ending may have left something that waits for another attempt. */
export const leavesRetry = (one: EndedAttempt): boolean =>
  isReleased(one) || (one.result !== "unsent" && LEAVE_RETRY.has(one.result.outcome));

const LEAVE_RETRY: ReadonlySet<string> = new Set(["retry", "postponed", "unknown"]);

const attemptOf = ({ event_number, attemptId }: ClaimedItem): NewAttempt => ({ event_number, id: attemptId });

/** The state of an attempt in the log, by its outcome. */
const LOGGED = {
  accepted: "delivered",
  refused: "failed",
  retry: "failed",
  unknown: "unknown",
  aborted: "stopped",
  postponed: "failed",
} as const;

function attemptEnd({ item, result }: EndedAttempt): AttemptEnd[] {
  if (result === "unsent") return [];
  const { durationMs, outcome, error, answer } = result;
  return [
    {
      ...attemptOf(item),
      duration_ms: durationMs,
      outcome: LOGGED[outcome],
      error,
      status: answer?.status ?? null,
      response_head: answer?.head ?? null,
      response_body: answer?.body ?? null,
      result: answer?.result ?? null,
    },
  ];
}

function itemEnd({ item, result }: EndedAttempt, waits: readonly number[], runtime: Runtime): ItemEnd {
  const { event_number, attempt, claimId: claim_id } = item;
  // The attempt was broken off: due again under the same number (decision 40), unless it is stopped already.
  if (result === "unsent" || result.outcome === "aborted") {
    return { event_number, claim_id, state: "waiting", attempt, run_at: null, ended_at: null };
  }
  if (result.outcome === "postponed") {
    const run_at = runtime.steadyNow() + result.afterMs;
    return { event_number, claim_id, state: "waiting", attempt, run_at, ended_at: null };
  }
  const left = attempt < item.last_attempt ? (item.open.waits ?? waits) : [];
  const next = nextStep(result, attempt, left, result.outcome === "retry" ? chance(runtime) : 0);
  if (next.step === "retry") {
    const run_at = runtime.steadyNow() + next.waitMs;
    return { event_number, claim_id, state: "waiting", attempt: attempt + 1, run_at, ended_at: null };
  }
  return { event_number, claim_id, state: next.step, attempt, run_at: 0, ended_at: runtime.now() };
}

/** From 0 to below 1, from the same source as all randomness. */
const chance = (runtime: Runtime): number => runtime.random(4).readUInt32BE() / 2 ** 32;

/** The facts that an operator needs of a queue: whether it works, and if not, since when. */
export function health(
  queue: OutboxQueueRow,
  ended: readonly EndedAttempt[],
  runtime: Runtime,
): Pick<OutboxQueueRow, "failures" | "failing_since" | "last_error" | "last_delivered_at"> {
  let { failures, failing_since, last_error, last_delivered_at } = queue;
  for (const { result } of ended) {
    if (result === "unsent" || result.outcome === "aborted") continue;
    if (result.outcome === "accepted") {
      [failures, failing_since, last_error, last_delivered_at] = [0, null, null, runtime.now()];
    } else {
      failures += 1;
      failing_since ??= runtime.now();
      const status = result.answer?.status ?? null;
      last_error = status === null ? result.error : `${result.error} ${status}`;
    }
  }
  return { failures, failing_since, last_error, last_delivered_at };
}
