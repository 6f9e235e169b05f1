import { expect, test } from "vitest";
import { afterFailure, afterSuccess, type Breaker, beginCall, isAway, newBreaker } from "./breaker.ts";
import type { ModelFailureKind } from "./model-errors.ts";

function failing(times: number, kind: ModelFailureKind = "failing", everyMs = 1_000): Breaker {
  let breaker = newBreaker;
  for (let time = 0; time < times; time += 1) breaker = afterFailure(breaker, kind, time * everyMs);
  return breaker;
}

test("after five failures within a minute the model is away for a minute", () => {
  expect(isAway(failing(4), 3_000)).toBe(false);
  const away = failing(5);
  expect([4_000, 63_999].map((now) => beginCall(away, now))).toEqual([undefined, undefined]);
  expect(isAway(away, 64_000)).toBe(false);
});

test("failures that are further apart, or that an answer came between, do not count together", () => {
  expect(isAway(failing(50, "failing", 15_000), 49 * 15_000)).toBe(false);
  let breaker = failing(4);
  breaker = afterFailure(afterSuccess(breaker), "failing", 4_000);
  expect(isAway(breaker, 4_000)).toBe(false);
});

test("then one call is the trial: others wait for its end", () => {
  const trial = beginCall(failing(5), 64_000) as Breaker;
  expect(beginCall(trial, 64_001)).toBeUndefined();
  expect(afterSuccess(trial)).toEqual(newBreaker);
  const again = afterFailure(trial, "timeout", 70_000);
  expect(isAway(again, 129_999)).toBe(true);
  expect(beginCall(again, 130_000)).toMatchObject({ state: "trial" });
});

test("a trial that never ends, or that the caller ends, keeps no later one away", () => {
  const trial = beginCall(failing(5), 64_000) as Breaker;
  expect(beginCall(trial, 124_000)).toMatchObject({ state: "trial" });
  expect(beginCall(afterFailure(trial, "aborted", 65_000), 65_000)).toMatchObject({ state: "trial" });
});

test.each(["refused", "blocked"] as const)("what is %s is off until the settings change", (kind) => {
  const off = afterFailure(newBreaker, kind, 0);
  expect(isAway(off, 1e12)).toBe(true);
  expect(afterSuccess(off)).toBe(off);
  expect(afterFailure(off, "failing", 1)).toBe(off);
});

test.each(["aborted", "filtered", "length", "empty"] as const)("%s is no fault of the server", (kind) => {
  expect(isAway(failing(20, kind), 20_000)).toBe(false);
});

test.each(["unreachable", "rejected", "busy", "failing", "timeout", "cut", "garbage"] as const)("%s is", (kind) => {
  expect(isAway(failing(5, kind), 5_000)).toBe(true);
});
