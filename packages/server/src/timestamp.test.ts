import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime, isoTimeOrNull } from "./timestamp.ts";

test("a moment is written as toISOString writes it, whatever was written before", () => {
  const near = fc.integer({ min: Date.UTC(2026, 10, 20), max: Date.UTC(2026, 10, 23) });
  const any = fc.integer({ min: Date.UTC(-9999, 0, 1), max: Date.UTC(12_000, 0, 1) });
  fc.assert(
    fc.property(fc.array(fc.oneof(near, any), { minLength: 1, maxLength: 20 }), (moments) => {
      expect(moments.map(isoTime)).toEqual(moments.map((ms) => new Date(ms).toISOString()));
    }),
    { numRuns: 500 },
  );
});

test("the first and the last millisecond of a day, and no moment at all", () => {
  for (const ms of [
    0,
    -1,
    Date.UTC(2026, 10, 21),
    Date.UTC(2026, 10, 22) - 1,
    Date.UTC(2028, 1, 29, 23, 59, 59, 999),
  ]) {
    expect(isoTime(ms)).toBe(new Date(ms).toISOString());
  }
  expect(isoTimeOrNull(null)).toBeNull();
});
