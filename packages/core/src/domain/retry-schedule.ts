/**
 * What becomes of an item of the outbox after an attempt, and the result of an attempt of a webhook delivery (specification,
 * "Delivery rules" 2, 3, 7, 9; decisions 38, 39, 41, 64). All times in milliseconds.
 */

/** After the first, second and third attempt; "Delivery rules" 7. */
export const DEFAULT_RETRY_WAITS_MS: readonly number[] = [60_000, 300_000, 900_000];

/** 4xx answers that mean "not now" (decision 38); 410 is not among them. */
const RETRIED_4XX: readonly number[] = [408, 425, 429];
/** Jitter is only added, and at most this share of the wait (decision 39). */
const MAX_JITTER = 0.1;
/** `Retry-After` lengthens a wait at most by this factor (decision 38). */
const MAX_LENGTHENING = 2;

/** However many digits the header has, the result is a number; it is bounded by the wait in any case. */
const MAX_ASKED_SECONDS = 1_000_000_000;

/** How an attempt ended, as far as it matters here. */
export type AttemptEnding =
  | { answered: true; status: number; retryAfterMs: number | undefined }
  /** No answer came. `final`: another attempt could not end otherwise (a literal address that is blocked, decision 41). */
  | { answered: false; final: boolean };

/**
 * The result of an attempt. `afterMs`: no sooner than then, whatever the schedule says. `resendAfterMs`: what may have arrived is sent
 * once more then, because a second copy is recognised.
 */
export type AttemptResult =
  | { outcome: "accepted" | "refused" }
  | { outcome: "unknown"; resendAfterMs?: number | undefined }
  | { outcome: "retry"; afterMs?: number | undefined };

/**
 * How an attempt of a webhook delivery ended.
 *
 * @param attempt the number of the attempt, from 1
 * @param waits the wait after each attempt; they bound what `Retry-After` asks for
 */
export function webhookResult(ending: AttemptEnding, attempt: number, waits: readonly number[]): AttemptResult {
  if (ending.answered && isSuccess(ending.status)) return { outcome: "accepted" };
  if (!mayRetry(ending)) return { outcome: "refused" };
  const asked = ending.answered ? (ending.retryAfterMs ?? 0) : 0;
  return { outcome: "retry", afterMs: Math.min(asked, (waits[attempt - 1] ?? 0) * MAX_LENGTHENING) };
}

/** The longest possible wait of these: lengthened, and with all of the jitter. */
export const longestWaitOf = (waits: readonly number[]): number => Math.max(...waits) * (MAX_LENGTHENING + 1);

export type NextStep = { step: "delivered" | "failed" | "unknown" } | { step: "retry"; waitMs: number };

/**
 * @param attempt the number of the attempt that has ended, from 1
 * @param waits the wait after each attempt; there is one attempt more than waits
 * @param chance a number from 0 to below 1, for the jitter
 */
export function nextStep(result: AttemptResult, attempt: number, waits: readonly number[], chance: number): NextStep {
  switch (result.outcome) {
    case "accepted":
      return { step: "delivered" };
    case "refused":
      return { step: "failed" };
    case "unknown": {
      const { resendAfterMs } = result;
      if (resendAfterMs === undefined || waits[attempt - 1] === undefined) return { step: "unknown" };
      return { step: "retry", waitMs: resendAfterMs };
    }
    case "retry": {
      const wait = waits[attempt - 1];
      if (wait === undefined) return { step: "failed" };
      return { step: "retry", waitMs: Math.round(Math.max(wait, result.afterMs ?? 0) + wait * MAX_JITTER * chance) };
    }
    default:
      return result satisfies never;
  }
}

/** Any 2xx acknowledges ("Delivery rules" 2). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function mayRetry(ending: AttemptEnding): boolean {
  if (!ending.answered) return !ending.final;
  return ending.status >= 500 || RETRIED_4XX.includes(ending.status);
}

/**
 * The wait that a `Retry-After` header asks for: seconds, or a date.
 *
 * @param now ms since the epoch
 * @returns undefined when there is none, or it is invalid
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header), MAX_ASKED_SECONDS) * 1_000;
  const date = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
