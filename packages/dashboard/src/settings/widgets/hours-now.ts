/**
 * Whether a widget is within its opening hours, by local time. The service computes it in `core/domain/business-hours.ts`, with
 * APIs that not every browser has; for a preview the result is the same.
 */
import { type BusinessHours, type OpenSpan, type Weekday, weekdays } from "@frontdesk/core/domain/business-hours";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS_AHEAD = 366;

export interface HoursNow {
  open: boolean;
  /** The next opening as local time, in ms as if it were UTC; undefined when there is none within a year. */
  opens: number | undefined;
}

export function hoursNow(hours: BusinessHours, at = Date.now()): HoursNow {
  const local = localTimeIn(hours.timezone, at);
  const today = Math.floor(local / DAY_MS) * DAY_MS;
  const open = spansOn(hours, today).some(({ from, to }) => from <= local && local < to);
  for (let day = today; day <= today + DAYS_AHEAD * DAY_MS; day += DAY_MS) {
    const opens = spansOn(hours, day)
      .map(({ from }) => from)
      .filter((from) => from > local)
      .toSorted((a, b) => a - b)[0];
    if (opens !== undefined) return { open, opens };
  }
  return { open, opens: undefined };
}

/** The local time of a time zone, in ms as if it were UTC. */
export function localTimeIn(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

function spansOn({ week, closed }: BusinessHours, midnight: number): { from: number; to: number }[] {
  if (closed.includes(new Date(midnight).toISOString().slice(0, 10))) return [];
  const weekday = weekdays[(new Date(midnight).getUTCDay() + 6) % 7] as Weekday;
  return (week[weekday] ?? []).map(({ from, to }) => ({
    from: midnight + minutesOf(from) * MINUTE_MS,
    to: midnight + minutesOf(to) * MINUTE_MS,
  }));
}

/** What is wrong with the times of a day; undefined when nothing is. */
export function problemOfSpans(spans: readonly OpenSpan[]): "backwards" | "overlap" | undefined {
  if (spans.some(({ from, to }) => minutesOf(from) >= minutesOf(to))) return "backwards";
  const ordered = spans.toSorted((a, b) => minutesOf(a.from) - minutesOf(b.from));
  const overlaps = ordered.some(({ from }, index) => minutesOf(from) < minutesOf(ordered[index - 1]?.to ?? "00:00"));
  return overlaps ? "overlap" : undefined;
}

/** `17:30` as minutes since midnight. */
function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}
