/**
 * When a team is available, as its owner sets it: hours of a week in local time, and dates on which it is closed. An hour that
 * the clock repeats when it is set back counts twice, an hour that it skips does not exist
 * (docs/decisions/0024-care-for-visitors.md).
 */

import { because, type GivenReason } from "./reasons.ts";

/** In the order of ISO 8601. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

/** From a time to another one of the same day, exclusive: `09:00` to `17:30`. The day ends at `24:00`. */
export interface OpenSpan {
  from: string;
  to: string;
}

export interface BusinessHours {
  /** A name of the IANA time zone database: `Europe/Berlin`. */
  timezone: string;
  /** A day that is left out is closed. */
  week: Partial<Record<Weekday, OpenSpan[]>>;
  /** Dates on which it is closed whatever the week says: `2026-12-25`. */
  closed: string[];
}

/** The most spans of one day. */
const SPANS_MAX = 4;
/** The most closed dates. */
const CLOSED_MAX = 100;
const TIME = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far ahead changes are searched. */
const HORIZON_MS = 366 * DAY_MS;

/** Whether it is open at a time, ms since the epoch. */
export function isOpen(hours: BusinessHours, at: number): boolean {
  const local = at + offsetAt(hours.timezone, at);
  const midnight = startOfDay(local);
  return openSpans(hours, midnight).some(({ from, to }) => from <= local && local < to);
}

/**
 * The next times at which it opens or closes: at most `count` after `at`, ms since the epoch, rising, none more than a year
 * ahead. Empty without any.
 */
export function changesAfter(hours: BusinessHours, at: number, count: number): number[] {
  const changes: number[] = [];
  for (const { from, to } of openPeriods(hours, at, at + HORIZON_MS)) {
    // A period that is cut off at either end does not begin or end there.
    changes.push(...[from, to].filter((moment) => moment > at && moment < at + HORIZON_MS));
    if (changes.length >= count) break;
  }
  return changes.slice(0, count);
}

/** How long it was open between two times, ms; 0 when the second one is not after the first. */
export function openTime(hours: BusinessHours, from: number, to: number): number {
  let open = 0;
  for (const piece of openPieces(hours, from, to)) open += piece.to - piece.from;
  return open;
}

/** From one time to another, exclusive, ms; local time (`local`) or since the epoch. */
interface Period {
  from: number;
  to: number;
}

/** The periods between two times in which it is open, in their order, each at its full length. */
function* openPeriods(hours: BusinessHours, start: number, end: number): Generator<Period> {
  let open: Period | undefined;
  for (const period of openPieces(hours, start, end)) {
    if (open?.to === period.from) {
      open.to = period.to;
      continue;
    }
    if (open) yield open;
    open = period;
  }
  if (open) yield open;
}

/** The same, cut where a day ends and where the clock is set. */
function* openPieces(hours: BusinessHours, start: number, end: number): Generator<Period> {
  for (const { from, to, offset } of evenTimes(hours.timezone, start, end)) {
    for (let midnight = startOfDay(from + offset); midnight < to + offset; midnight += DAY_MS) {
      for (const span of openSpans(hours, midnight)) {
        const piece = { from: Math.max(span.from - offset, from), to: Math.min(span.to - offset, to) };
        if (piece.from < piece.to) yield piece;
      }
    }
  }
}

/** The stretches between two times without a change of the UTC offset, each with its offset. */
function* evenTimes(timezone: string, start: number, end: number): Generator<Period & { offset: number }> {
  for (let from = start; from < end; ) {
    const transition = zoned(timezone, from).getTimeZoneTransition("next");
    const to = Math.min(transition?.epochMilliseconds ?? end, end);
    yield { from, to, offset: offsetAt(timezone, from) };
    from = to;
  }
}

/** The open spans of the day that begins at `midnight`, in local time. */
function openSpans({ week, closed }: BusinessHours, midnight: number): Period[] {
  const date = new Date(midnight);
  if (closed.includes(date.toISOString().slice(0, 10))) return [];
  const weekday = weekdays[(date.getUTCDay() + 6) % 7] as Weekday;
  return inOrder(week[weekday] ?? []).map(({ from, to }) => ({
    from: midnight + minutes(from) * MINUTE_MS,
    to: midnight + minutes(to) * MINUTE_MS,
  }));
}

const inOrder = (spans: readonly OpenSpan[]) => spans.toSorted((one, other) => minutes(one.from) - minutes(other.from));

/** `17:30` as minutes since midnight. */
function minutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

const startOfDay = (local: number) => Math.floor(local / DAY_MS) * DAY_MS;

const zoned = (timezone: string, at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

const offsetAt = (timezone: string, at: number) => zoned(timezone, at).offsetNanoseconds / 1e6;

/** Why the hours are not accepted; undefined when they are. */
export function businessHoursProblem({ timezone, week, closed }: BusinessHours): GivenReason | undefined {
  if (!isTimeZone(timezone)) return because("hours-timezone", { timezone });
  const unknown = Object.keys(week).find((day) => !(weekdays as readonly string[]).includes(day));
  if (unknown !== undefined) return because("hours-day", { day: unknown, days: weekdays.join(", ") });
  for (const day of weekdays) {
    const problem = spansProblem(day, week[day] ?? []);
    if (problem) return problem;
  }
  if (closed.length > CLOSED_MAX) return because("hours-too-many-closed", { max: CLOSED_MAX });
  const wrong = closed.find((date) => !isDate(date));
  return wrong === undefined ? undefined : because("hours-closed-date", { date: wrong });
}

function spansProblem(day: Weekday, spans: readonly OpenSpan[]): GivenReason | undefined {
  if (spans.length > SPANS_MAX) return because("hours-too-many", { day, max: SPANS_MAX });
  const wrong = spans.flatMap(({ from, to }) => [from, to]).find((time) => !TIME.test(time));
  if (wrong !== undefined) return because("hours-time", { day, time: wrong });
  const backwards = spans.find(({ from, to }) => minutes(from) >= minutes(to));
  if (backwards) {
    return because("hours-backwards", { day, from: backwards.from, to: backwards.to });
  }
  const overlap = inOrder(spans).some(
    ({ from }, index, ordered) => minutes(from) < minutes(ordered[index - 1]?.to ?? "0"),
  );
  return overlap ? because("hours-overlap", { day }) : undefined;
}

/** A name; `+02:00`, which JavaScript accepts as well, has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    zoned(name, 0);
    return true;
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February is read as 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
