import type { Timeouts } from "../../timeouts.ts";
import { ModelFailure } from "./model-errors.ts";

/** For a whole call, its waits and repeats included. */
export const CALL_MS = 30_000;
/** A server that asks for a longer wait is not waited for: the visitor is. */
const LONGEST_WAIT_MS = 5_000;
/** Before a repeat, at least; up to twice as long, so that many calls do not come back at once. */
const REPEAT_MS = 500;

/**
 * Makes a call, and repeats it once where that can help:
 * - `busy` (429): after the wait that the server asks for, when it is 5 s or less
 * - `failing` (5xx), `unreachable`, `cut`: after 0.5 to 1 s, while no text has been handed out
 * - nothing else: what was refused would be refused again, and a server that is too slow is not made faster
 *
 * @param attempt is ended by its signal: by the caller, or at the end of the 30 s
 * @param options.random from 0 to 1
 * @throws ModelFailure of the last attempt; `timeout` at the end of the time, `aborted` when the caller has ended it
 */
export async function callWithRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { signal, timeouts, random }: { signal?: AbortSignal | undefined; timeouts: Timeouts; random: () => number },
): Promise<T> {
  const ending = new AbortController();
  let isLate = false;
  const cancel = timeouts.after(CALL_MS, () => {
    isLate = true;
    ending.abort();
  });
  const abort = () => ending.abort();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    return await attempt(ending.signal).catch(async (failure) => {
      const wait = waitBefore(failure, random);
      if (wait === undefined || !(await waited(wait, ending.signal, timeouts))) throw failure;
      return attempt(ending.signal);
    });
  } catch (error) {
    throw isLate ? tooLate(error) : error;
  } finally {
    cancel();
    signal?.removeEventListener("abort", abort);
  }
}

/** How long to wait before a repeat, ms; undefined when there is none. */
function waitBefore(failure: unknown, random: () => number): number | undefined {
  if (!(failure instanceof ModelFailure) || failure.hasBegun) return undefined;
  const { kind, retryAfterMs } = failure;
  switch (kind) {
    case "busy":
      return retryAfterMs !== null && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : undefined;
    case "failing":
    case "unreachable":
    case "cut":
      return REPEAT_MS * (1 + random());
    case "blocked":
    case "refused":
    case "rejected":
    case "timeout":
    case "filtered":
    case "length":
    case "empty":
    case "garbage":
    case "aborted":
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** Whether the time passed without the signal being aborted. */
function waited(ms: number, signal: AbortSignal, timeouts: Timeouts): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (passed: boolean) => {
      cancel();
      signal.removeEventListener("abort", abort);
      resolve(passed);
    };
    const abort = () => settle(false);
    const cancel = timeouts.after(ms, () => settle(true));
    signal.addEventListener("abort", abort, { once: true });
  });
}

function tooLate(error: unknown): unknown {
  if (!(error instanceof ModelFailure)) return error;
  const { status, request, response, hasBegun, usage } = error;
  const message = `The model server has not finished its answer within ${CALL_MS / 1_000} seconds.`;
  return new ModelFailure({ kind: "timeout", message, status, request, response, hasBegun, usage });
}
