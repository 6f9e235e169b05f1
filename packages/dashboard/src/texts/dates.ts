/** Dates, times and numbers in the format of the locale. The service sends them as ISO 8601. */
import { lazily, locale } from "./texts.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const clock = lazily(() => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const weekday = lazily(() => new Intl.DateTimeFormat(locale, { weekday: "short" }));
const dayAndMonth = lazily(() => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }));
const date = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const longDay = lazily(() => new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" }));
const full = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
const short = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }));
const number = lazily(() => new Intl.NumberFormat(locale));
const milliseconds = lazily(() => new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond" }));
const seconds = lazily(
  () => new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 }),
);

const wholeSeconds = lazily(
  () => new Intl.NumberFormat(locale, { style: "unit", unit: "second", unitDisplay: "long" }),
);

export const timeOf = (at: string) => clock().format(Date.parse(at));
export const momentOf = (at: string) => full().format(Date.parse(at));
export const dateOf = (at: string) => date().format(Date.parse(at));
export const numberOf = (value: number) => number().format(value);
/** "12 ms", "1.4 sec". */
export const durationOf = (ms: number) => (ms < 1_000 ? milliseconds().format(ms) : seconds().format(ms / 1_000));

/** "5 seconds". */
export const secondsOf = (count: number) => wholeSeconds().format(count);

/** Short, for lists: the time today, the weekday this week, the date before that. */
export function shortWhen(at: string, now = Date.now()): string {
  const time = Date.parse(at);
  const days = daysBetween(time, now);
  if (days === 0) return clock().format(time);
  if (days < 7) return weekday().format(time);
  if (new Date(time).getFullYear() === new Date(now).getFullYear()) return dayAndMonth().format(time);
  return date().format(time);
}

/** "Today", "yesterday", or the date. */
export function dayOf(at: string, now = Date.now()): string {
  const time = Date.parse(at);
  const days = daysBetween(time, now);
  return days < 2 ? relative().format(-days, "day") : longDay().format(time);
}

/** "5 min. ago". */
export function ago(at: string, now = Date.now()): string {
  const passed = now - Date.parse(at);
  if (passed < HOUR_MS) return short().format(-Math.floor(passed / MINUTE_MS), "minute");
  if (passed < DAY_MS) return short().format(-Math.floor(passed / HOUR_MS), "hour");
  return short().format(-Math.floor(passed / DAY_MS), "day");
}

/** "12m", "3h": a duration in whole minutes, hours or days. */
export function shortDuration(minutes: number): string {
  if (minutes < HOUR_MINUTES) return narrowUnit("minute").format(minutes);
  const hours = Math.floor(minutes / HOUR_MINUTES);
  return hours < DAY_HOURS ? narrowUnit("hour").format(hours) : narrowUnit("day").format(Math.floor(hours / DAY_HOURS));
}

const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
const narrowUnits = new Map<string, Intl.NumberFormat>();

function narrowUnit(unit: "minute" | "hour" | "day"): Intl.NumberFormat {
  const known = narrowUnits.get(unit);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow" });
  narrowUnits.set(unit, made);
  return made;
}

/** The start of a day and of the next one, in ms. */
export interface Day {
  from: number;
  to: number;
}

export function dayAround(time: number): Day {
  const start = new Date(time);
  return { from: start.setHours(0, 0, 0, 0), to: start.setDate(start.getDate() + 1) };
}

export const isWithin = ({ from, to }: Day, time: number) => from <= time && time < to;

/** The days of the week, 0 for Sunday, from the first one of the locale; from Monday where the browser knows no other. */
export function daysOfWeek(): number[] {
  const { firstDay } = new Intl.Locale(locale).getWeekInfo?.() ?? { firstDay: 1 };
  return Array.from({ length: 7 }, (_, index) => (firstDay + index) % 7);
}

/** The time in a time zone, with its distance from UTC: "11:42 PM GMT+1", and its weekday when that is another one there. */
export function timeThere(timeZone: string, now = Date.now()): string | undefined {
  try {
    const date = new Intl.DateTimeFormat("en", { dateStyle: "short", timeZone }).format(now);
    const isToday = date === new Intl.DateTimeFormat("en", { dateStyle: "short" }).format(now);
    return new Intl.DateTimeFormat(locale, {
      ...(isToday ? {} : { weekday: "short" }),
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "shortOffset",
      timeZone,
    }).format(now);
  } catch {
    // A visitor's browser sends the name, and a program any text.
    return undefined;
  }
}

function daysBetween(time: number, now: number): number {
  return Math.round((startOfDay(now) - startOfDay(time)) / DAY_MS);
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
