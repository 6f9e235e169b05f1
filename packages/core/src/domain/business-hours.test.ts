import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BusinessHours,
  businessHoursProblem,
  changesAfter,
  isOpen,
  openTime,
  weekdays,
} from "./business-hours.ts";
import { sentenceOf } from "./reasons.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const span = (from: string, to: string) => ({ from, to });
const office = [span("09:00", "17:30")];
const berlin: BusinessHours = {
  timezone: "Europe/Berlin",
  week: { mon: office, tue: office, wed: office, thu: office, fri: [span("09:00", "12:00"), span("13:00", "16:00")] },
  closed: ["2026-12-25"],
};
/** A moment, by what a clock in Berlin shows. */
const inBerlin = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime("Europe/Berlin").epochMilliseconds;
const asInBerlin = (at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("Europe/Berlin").toPlainDateTime().toString();
const changes = (hours: BusinessHours, local: string, count: number) =>
  changesAfter(hours, inBerlin(local), count).map(asInBerlin);

test("it is open from the first minute of a time up to the last one, where it is", () => {
  const cases = [
    ["2026-11-23T08:59:59", false],
    ["2026-11-23T09:00:00", true],
    ["2026-11-23T17:29:59", true],
    ["2026-11-23T17:30:00", false],
    ["2026-11-20T12:30:00", false],
    ["2026-11-20T13:00:00", true],
    ["2026-11-21T10:00:00", false],
    ["2026-12-25T10:00:00", false],
  ] as const;
  for (const [local, open] of cases) expect(isOpen(berlin, inBerlin(local)), local).toBe(open);
});

test("the next change is found over breaks, week-ends and closed days", () => {
  expect(changes(berlin, "2026-12-24T10:00", 3)).toEqual([
    "2026-12-24T17:30:00",
    "2026-12-28T09:00:00",
    "2026-12-28T17:30:00",
  ]);
  expect(changes(berlin, "2026-11-20T12:00", 2)).toEqual(["2026-11-20T13:00:00", "2026-11-20T16:00:00"]);
});

test("days that are open from 00:00 to 24:00 follow one another without a change", () => {
  const always: BusinessHours = {
    timezone: "Europe/Berlin",
    week: Object.fromEntries(weekdays.map((day) => [day, [span("00:00", "24:00")]])),
    closed: ["2027-01-01"],
  };
  expect(changes(always, "2026-11-20T12:00", 20)).toEqual(["2027-01-01T00:00:00", "2027-01-02T00:00:00"]);
  expect(changesAfter({ ...always, closed: [] }, 0, 20)).toEqual([]);
  expect(changesAfter({ ...always, week: {} }, 0, 20)).toEqual([]);
});

test("opening is at nine by the clock on the wall, before and after the clock is set", () => {
  const daily = { ...berlin, week: Object.fromEntries(weekdays.map((day) => [day, office])) };
  const [before, , after] = changesAfter(daily, inBerlin("2026-03-28T00:00"), 3);
  expect(Number(after) - Number(before)).toBe(23 * HOUR_MS);
  const [summer, , winter] = changesAfter(daily, inBerlin("2026-10-24T00:00"), 3);
  expect(Number(winter) - Number(summer)).toBe(25 * HOUR_MS);
});

test("an hour that the clock shows twice is open twice, one that it leaves out does not come", () => {
  const night = (from: string, to: string): BusinessHours => ({ ...berlin, week: { sun: [span(from, to)] } });
  const length = (hours: BusinessHours, local: string) => {
    const [from, to] = changesAfter(hours, inBerlin(local), 2);
    return Number(to) - Number(from);
  };
  expect(length(night("02:00", "03:00"), "2026-10-25T00:00")).toBe(2 * HOUR_MS);
  expect(changes(night("02:00", "03:00"), "2026-03-29T00:00", 1)).toEqual(["2026-04-05T02:00:00"]);
});

describe("whatever the hours", () => {
  const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Casablanca"];
  const BEGIN = Date.parse("2025-01-01T00:00:00Z");
  /** A clock that is set at midnight, so that a date begins at 01:00 or twice. */
  const MIDNIGHT_ZONES = ["America/Santiago", "Asia/Beirut", "Africa/Cairo"];
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const time = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  const spans = fc
    .uniqueArray(
      fc.integer({ min: 0, max: 24 * 4 }).map((quarter) => quarter * 15),
      { maxLength: 8 },
    )
    .map((minutes) => minutes.toSorted((one, other) => one - other))
    .map((minutes) =>
      Array.from({ length: Math.floor(minutes.length / 2) }, (_none, index) =>
        span(time(minutes[2 * index] as number), time(minutes[2 * index + 1] as number)),
      ),
    );
  const date = fc.integer({ min: 0, max: 800 }).map((day) => new Date(BEGIN + day * DAY_MS).toISOString().slice(0, 10));
  const hours = fc.record({
    timezone: fc.constantFrom(...ZONES, ...MIDNIGHT_ZONES),
    week: fc.dictionary(fc.constantFrom(...weekdays), spans, { noNullPrototype: true }),
    closed: fc.array(date, { maxLength: 5 }),
  });
  /** Often near a night in which the clock is set: late in March, April, September, October or November. */
  const moment = fc.oneof(
    fc.integer({ min: 0, max: 800 * 24 * 60 }).map((minute) => BEGIN + minute * MINUTE_MS),
    fc
      .tuple(fc.constantFrom("2025-03-28", "2025-04-03", "2025-09-05", "2025-10-23", "2025-10-31"), fc.nat(4 * 24 * 60))
      .map(([day, minute]) => Date.parse(day) + minute * MINUTE_MS),
  );

  test("they can be taken", () => {
    fc.assert(fc.property(hours, (given) => businessHoursProblem(given) === undefined));
  });

  test("it changes at the moments found and at no other one", () => {
    fc.assert(
      fc.property(hours, moment, (given, at) => {
        const told = changesAfter(given, at, 1_000);
        const end = at + 3 * DAY_MS;
        let open = isOpen(given, at);
        // Every 15 minutes: nothing in these hours or zones changes in between.
        for (let next = Math.ceil((at + 1) / (15 * MINUTE_MS)) * 15 * MINUTE_MS; next < end; next += 15 * MINUTE_MS) {
          const now = isOpen(given, next);
          expect(told.includes(next), new Date(next).toISOString()).toBe(now !== open);
          open = now;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("the moments found rise, lie ahead within a year, and turn open into closed and back", () => {
    fc.assert(
      fc.property(hours, moment, fc.integer({ min: 1, max: 20 }), (given, at, count) => {
        const told = changesAfter(given, at, count);
        expect(told).toEqual(changesAfter(given, at, 1_000).slice(0, count));
        let before = at;
        let open = isOpen(given, at);
        for (const change of told) {
          expect(change).toBeGreaterThan(before);
          expect(isOpen(given, change - 1)).toBe(open);
          expect(isOpen(given, change)).toBe(!open);
          [before, open] = [change, !open];
        }
        expect(before).toBeLessThan(at + 366 * DAY_MS);
      }),
      { numRuns: 60 },
    );
  });
});

test("invalid hours are reported with what would be right", () => {
  const told = (change: object) => {
    const problem = businessHoursProblem({ ...berlin, ...change });
    return problem && sentenceOf(problem);
  };
  const day = (...spans: object[]) => told({ week: { tue: spans } });
  expect(told({})).toBeUndefined();
  for (const timezone of ["Europe/Bonn", "+02:00", "", "Europe/Berlin; x"]) {
    expect(told({ timezone }), timezone).toContain("is not a time zone");
  }
  expect(told({ week: { monday: [] } })).toContain("is not a day. Use mon, tue");
  expect(day(span("9:00", "17:00"))).toBe('tue: "9:00" is not a time from 00:00 to 24:00.');
  expect(day(span("09:00", "24:30"))).toContain('"24:30" is not a time');
  expect(day(span("22:00", "02:00"))).toContain("use two ranges");
  expect(day(span("09:00", "09:00"))).toContain("ends before it begins");
  expect(day(span("13:00", "18:00"), span("09:00", "13:30"))).toContain("overlap");
  expect(day(span("13:00", "18:00"), span("09:00", "13:00"))).toBeUndefined();
  const five = ["01", "03", "05", "07", "09"].map((hour) => span(`${hour}:00`, `${hour}:30`));
  expect(day(...five)).toContain("at most 4");
  for (const date of ["2026-02-30", "25.12.2026", "2026-13-01"]) {
    expect(told({ closed: [date] }), date).toContain("is not a date");
  }
  expect(told({ closed: Array.from({ length: 101 }, () => "2026-12-25") })).toContain("at most 100");
});

test("open time leaves out breaks, nights, week-ends, closed days, and what the clock leaves out", () => {
  const night: BusinessHours = {
    timezone: "Europe/Berlin",
    week: { sat: [span("22:00", "24:00")], sun: [span("00:00", "06:00")] },
    closed: [],
  };
  const cases: [BusinessHours, string, string, number][] = [
    [berlin, "2026-11-23T09:00", "2026-11-23T09:00", 0],
    [berlin, "2026-11-23T10:00", "2026-11-23T09:00", 0],
    [berlin, "2026-11-23T09:10", "2026-11-23T09:25", 15 * MINUTE_MS],
    // Over lunch on a Friday.
    [berlin, "2026-11-27T11:30", "2026-11-27T13:30", HOUR_MS],
    // Both outside.
    [berlin, "2026-11-27T18:00", "2026-11-30T08:00", 0],
    // From Friday's last hour to Monday's first.
    [berlin, "2026-11-27T15:00", "2026-11-30T10:00", 2 * HOUR_MS],
    // The 25th is closed, the 26th and 27th are a week-end.
    [berlin, "2026-12-24T17:00", "2026-12-28T09:30", HOUR_MS],
    // Over midnight, and an hour more when the clock is set back, one less when it is set forward.
    [night, "2026-11-21T12:00", "2026-11-22T12:00", 8 * HOUR_MS],
    [night, "2026-10-24T12:00", "2026-10-25T12:00", 9 * HOUR_MS],
    [night, "2026-03-28T12:00", "2026-03-29T12:00", 7 * HOUR_MS],
  ];
  for (const [hours, from, to, expected] of cases) {
    expect(openTime(hours, inBerlin(from), inBerlin(to)), `${from} to ${to}`).toBe(expected);
  }
});

test("open time is the number of minutes in which it is open", () => {
  const minute = fc.integer({ min: 0, max: 10 * 24 * 60 }).map((n) => inBerlin("2026-12-21T00:00") + n * MINUTE_MS);
  fc.assert(
    fc.property(minute, minute, (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one];
      let open = 0;
      for (let at = from; at < to; at += MINUTE_MS) if (isOpen(berlin, at)) open += MINUTE_MS;
      expect(openTime(berlin, from, to)).toBe(open);
    }),
    { numRuns: 20 },
  );
});
