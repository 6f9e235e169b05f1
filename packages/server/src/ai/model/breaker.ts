import type { ModelFailureKind } from "./model-errors.ts";

/** So many failures of the server within `WINDOW_MS`, and it is away for `AWAY_MS`. */
const FAILURES = 5;
const WINDOW_MS = 60_000;
const AWAY_MS = 60_000;

/**
 * What is known of whether a model can be called; the caller keeps one for each team, and a new one when its settings change.
 *
 * ```
 *   well -- 5 failures in 60 s --> away, 60 s -- time over, next call --> on trial -- success --> well
 *     |                              ^                                       '-- failure --> away
 *     |                              '-- the trial never ends: over after 60 s
 *     '-- refused (401, 403, 404), blocked --> off, until the settings change or a test succeeds
 * ```
 */
export type Breaker =
  | { state: "well"; failedAt: readonly number[] }
  | { state: "away"; until: number }
  | { state: "trial"; until: number }
  | { state: "off"; kind: ModelFailureKind };

export const newBreaker: Breaker = { state: "well", failedAt: [] };

/** Whether the model could be called at `now` (ms, by a clock that is never set back). It changes nothing. */
export function isAway(breaker: Breaker, now: number): boolean {
  return breaker.state === "off" || (breaker.state !== "well" && now < breaker.until);
}

/** The breaker with a call begun, to be stored before it; undefined when no call may be made. */
export function beginCall(breaker: Breaker, now: number): Breaker | undefined {
  if (isAway(breaker, now)) return undefined;
  return breaker.state === "well" ? breaker : { state: "trial", until: now + AWAY_MS };
}

/** After an answer, of whichever use: the server is well. */
export function afterSuccess(breaker: Breaker): Breaker {
  // An answer to a question of before the settings were refused says nothing of those after it.
  return breaker.state === "off" ? breaker : newBreaker;
}

/** After a failure. A model that was stopped (too long, filtered) shows that its server is well; an ended call shows nothing. */
export function afterFailure(breaker: Breaker, kind: ModelFailureKind, now: number): Breaker {
  if (breaker.state === "off") return breaker;
  switch (kind) {
    case "refused":
    case "blocked":
      return { state: "off", kind };
    case "aborted":
      return breaker.state === "trial" ? { state: "away", until: now } : breaker;
    case "filtered":
    case "length":
    case "empty":
      return newBreaker;
    case "unreachable":
    case "rejected":
    case "busy":
    case "failing":
    case "timeout":
    case "cut":
    case "garbage":
      return afterFault(breaker, now);
    default:
      return kind satisfies never;
  }
}

function afterFault(breaker: Exclude<Breaker, { state: "off" }>, now: number): Breaker {
  if (breaker.state === "trial") return { state: "away", until: now + AWAY_MS };
  if (breaker.state === "away") return breaker;
  const failedAt = [...breaker.failedAt.filter((at) => now - at < WINDOW_MS), now];
  return failedAt.length >= FAILURES ? { state: "away", until: now + AWAY_MS } : { state: "well", failedAt };
}
