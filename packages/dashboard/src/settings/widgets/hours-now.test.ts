import { type BusinessHours, changesAfter, isOpen, weekdays } from "@frontdesk/core/domain/business-hours";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hoursNow, localTimeIn, problemOfSpans } from "./hours-now.ts";

const minute = fc.integer({ min: 0, max: 24 * 60 });
const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const span = fc
  .tuple(minute, minute)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ from: time(Math.min(a, b)), to: time(Math.max(a, b)) }));
const hours: fc.Arbitrary<BusinessHours> = fc.record({
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"),
  week: fc.dictionary(fc.constantFrom(...weekdays), fc.array(span, { maxLength: 1 })),
  closed: fc.array(fc.integer({ min: 1, max: 28 }).map((day) => `2026-11-${String(day).padStart(2, "0")}`)),
});

test("the preview has a widget open when the service does", () => {
  fc.assert(
    fc.property(hours, fc.integer({ min: 0, max: 365 * 86_400_000 }), (given, after) => {
      const at = Date.parse("2026-06-01T00:00:00Z") + after;
      expect(hoursNow(given, at).open).toBe(isOpen(given, at));
    }),
  );
});

test("and back when the service has it back, be that in days or in a second", () => {
  let compared = 0;
  fc.assert(
    // Between two daylight saving changes.
    fc.property(hours, fc.integer({ min: 0, max: 13 * 86_400_000 }), (given, after) => {
      const at = Date.parse("2026-11-05T00:00:00Z") + after;
      const [first] = changesAfter(given, at, 1);
      if (isOpen(given, at) || first === undefined) return;
      for (const moment of [at, first - 1_000]) {
        compared += 1;
        expect(hoursNow(given, moment)).toEqual({ open: false, opens: localTimeIn(given.timezone, first) });
      }
    }),
  );
  expect(compared).toBeGreaterThan(20);
});

test("never open is never back", () => {
  expect(hoursNow({ timezone: "UTC", week: {}, closed: [] })).toEqual({ open: false, opens: undefined });
});

test("a day's times end after they begin, and do not overlap", () => {
  expect(problemOfSpans([])).toBeUndefined();
  expect(problemOfSpans([{ from: "09:00", to: "24:00" }])).toBeUndefined();
  expect(problemOfSpans([{ from: "22:00", to: "06:00" }])).toBe("backwards");
  const [late, early] = [
    { from: "12:00", to: "17:00" },
    { from: "09:00", to: "12:30" },
  ];
  expect(problemOfSpans([late, early])).toBe("overlap");
  expect(problemOfSpans([late, { ...early, to: "12:00" }])).toBeUndefined();
});
