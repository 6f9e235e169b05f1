import type { AiSettingsRow } from "../../storage/tables.ts";
import { afterFailure, afterSuccess, type Breaker, beginCall, isAway, newBreaker } from "./breaker.ts";
import type { ModelFailure } from "./model-errors.ts";
import { faultOf, type ModelChoice } from "./second-model.ts";

/** What is known of a team's models, each by itself: the AI is away only when neither can be called (docs/decisions/0086). */
export interface Breakers {
  first: Breaker;
  /** Undefined: there is no second model. */
  second: Breaker | undefined;
}

/** As `ai_settings.breaker` has them: the first one as if it were alone, which a program of before can read. */
type Stored = Breaker & { second?: Breaker };

export function breakersOf({ breaker, second_model }: Pick<AiSettingsRow, "breaker" | "second_model">): Breakers {
  const { second = newBreaker, ...first }: Stored = breaker === null ? newBreaker : JSON.parse(breaker);
  return { first, second: second_model === null ? undefined : second };
}

/** Null while nothing is known against either. */
export function storedBreakers({ first, second }: Breakers): string | null {
  const isNoted = second !== undefined && !isNew(second);
  if (isNew(first) && !isNoted) return null;
  return JSON.stringify({ ...first, ...(isNoted && { second }) } satisfies Stored);
}

const isNew = (breaker: Breaker): boolean => breaker.state === "well" && breaker.failedAt.length === 0;

/** Whether no model could be called at `now` (ms). */
export const areAway = ({ first, second }: Breakers, now: number): boolean =>
  isAway(first, now) && (second === undefined || isAway(second, now));

/**
 * The model that a call goes to, with the breakers to be stored before it; undefined when no call may be made. While the first
 * model is away, its visitors don't wait for it: the second one is asked at once.
 *
 * @param wanted `second`: the first one has failed in this turn
 */
export function beginWith(
  breakers: Breakers,
  wanted: ModelChoice,
  now: number,
): { model: ModelChoice; breakers: Breakers } | undefined {
  const first = wanted === "first" ? beginCall(breakers.first, now) : undefined;
  if (first) return { model: "first", breakers: { ...breakers, first } };
  const second = breakers.second && beginCall(breakers.second, now);
  return second && { model: "second", breakers: { ...breakers, second } };
}

/** After a call. A failure of the server or of the key is one of both models. @param failed undefined after an answer */
export function afterCall(
  breakers: Breakers,
  {
    model,
    failed,
    now,
  }: { model: ModelChoice; failed: Pick<ModelFailure, "kind" | "status"> | undefined; now: number },
): Breakers {
  const after = (breaker: Breaker, choice: ModelChoice) => {
    if (failed === undefined) return choice === model ? afterSuccess(breaker) : breaker;
    const isMeant = choice === model || faultOf(failed) === "server";
    return isMeant ? afterFailure(breaker, failed.kind, now) : breaker;
  };
  return { first: after(breakers.first, "first"), second: breakers.second && after(breakers.second, "second") };
}
