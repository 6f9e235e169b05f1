import { expect, test } from "vitest";
import { afterCall, areAway, type Breakers, beginWith, breakersOf, storedBreakers } from "./breakers.ts";
import type { ModelFailureKind } from "./model-errors.ts";
import type { ModelChoice } from "./second-model.ts";

const both = breakersOf({ breaker: null, second_model: "spare" });
const alone = breakersOf({ breaker: null, second_model: null });

function failing(breakers: Breakers, model: ModelChoice, kind: ModelFailureKind = "failing", status = 500): Breakers {
  const failed = { kind, status };
  return Array.from({ length: 5 }, (_, now) => now).reduce(
    (before, now) => afterCall(before, { model, failed, now }),
    breakers,
  );
}

test("a model that is away keeps neither the other one nor the AI away: the other one is asked at once", () => {
  const first = failing(both, "first");
  expect(areAway(first, 10)).toBe(false);
  expect(beginWith(first, "first", 10)?.model).toBe("second");
  expect(beginWith(failing(both, "second"), "first", 10)?.model).toBe("first");
  const neither = failing(first, "second");
  expect(areAway(neither, 10)).toBe(true);
  expect(beginWith(neither, "first", 10)).toBeUndefined();
  expect(areAway(failing(alone, "first"), 10)).toBe(true);
});

test("after its minute the first one is tried again, and an answer of the second says nothing of it", () => {
  const away = failing(both, "first");
  const answered = afterCall(away, { model: "second", failed: undefined, now: 10 });
  expect(answered.first).toEqual(away.first);
  expect(beginWith(answered, "first", 61_000)).toMatchObject({
    ...{ model: "first", breakers: { first: { state: "trial" } } },
  });
});

test("a wrong key, and a server that isn't there, are failures of both; an unknown name is one of its model", () => {
  for (const status of [401, 403]) expect(areAway(failing(both, "first", "refused", status), 10)).toBe(true);
  expect(areAway(failing(both, "first", "unreachable"), 10)).toBe(true);
  const unknown = failing(both, "first", "refused", 404);
  expect(unknown).toMatchObject({ first: { state: "off" }, second: { state: "well" } });
  expect(beginWith(unknown, "first", 1e9)?.model).toBe("second");
});

test("what is asked for the second goes to no other, and without one nowhere", () => {
  expect(beginWith(both, "second", 0)?.model).toBe("second");
  expect(beginWith(alone, "second", 0)).toBeUndefined();
});

test("both are stored in one column, the first as if it were alone", () => {
  expect(storedBreakers(both)).toBeNull();
  for (const breakers of [failing(both, "first"), failing(both, "second"), failing(failing(both, "first"), "second")]) {
    const breaker = storedBreakers(breakers);
    expect(breakersOf({ breaker, second_model: "spare" })).toEqual(breakers);
    expect(breakersOf({ breaker, second_model: null }).first).toEqual(breakers.first);
  }
  const { second: _, ...before } = JSON.parse(storedBreakers(failing(both, "first")) ?? "");
  expect(before).toEqual(failing(alone, "first").first);
});
