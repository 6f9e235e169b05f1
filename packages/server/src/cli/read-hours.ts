import { type BusinessHours, type OpenSpan, type Weekday, weekdays } from "@frontdesk/core/domain/business-hours";
import { UsageError } from "./command.ts";

/** Business hours as typed. */
export interface TypedHours {
  hours?: string | undefined;
  timezone?: string | undefined;
  closed?: string | undefined;
}

/**
 * Parses business hours as people write them: `mon-fri 09:00-12:00 13:00-17:00, sat 10:00-14:00`, with a time zone and closed
 * dates; or all of it as JSON, as the command shows it. What is not given stays unchanged.
 *
 * @param before the present hours
 * @returns undefined when nothing was typed, null for `always`
 * @throws UsageError naming the option that cannot be parsed; times, zones and dates are validated elsewhere
 */
export function readHours(
  { hours, timezone, closed }: TypedHours,
  before: BusinessHours | null,
): BusinessHours | null | undefined {
  if (hours === undefined && timezone === undefined && closed === undefined) return undefined;
  if (hours === "always" || hours?.startsWith("{")) {
    if (timezone ?? closed) throw new UsageError("--timezone and --closed need weekly hours.");
    return hours === "always" ? null : readJson(hours);
  }
  const zone = timezone ?? before?.timezone;
  if (zone === undefined) throw new UsageError("--timezone: enter a time zone, such as Europe/Berlin.");
  const week = hours === undefined ? before?.week : readWeek(hours);
  if (week === undefined) throw new UsageError('--hours: enter your hours, such as "mon-fri 09:00-17:00".');
  return { timezone: zone, week, closed: closed === undefined ? (before?.closed ?? []) : readDates(closed) };
}

function readWeek(text: string): BusinessHours["week"] {
  const week: BusinessHours["week"] = {};
  for (const entry of text.split(",")) {
    const [days = "", ...times] = entry.trim().split(/\s+/);
    if (times.length === 0) throw new UsageError(`--hours: "${entry.trim()}" must look like "mon-fri 09:00-17:00".`);
    for (const day of readDays(days)) week[day] = [...(week[day] ?? []), ...times.map(readSpan)];
  }
  return week;
}

/** `fri-mon` wraps around the end of the week. */
function readDays(text: string): Weekday[] {
  const [first, last] = text
    .toLowerCase()
    .split("-")
    .map((day) => weekdays.indexOf(day as Weekday));
  if (first === undefined || first < 0 || last === -1 || text.split("-").length > 2) {
    throw new UsageError(`--hours: "${text}" must be one of ${weekdays.join(", ")}, or a range such as mon-fri.`);
  }
  const count = ((last ?? first) - first + weekdays.length) % weekdays.length;
  return Array.from({ length: count + 1 }, (_none, index) => weekdays[(first + index) % weekdays.length] as Weekday);
}

/** `9-17:30` means `09:00-17:30`. */
function readSpan(text: string): OpenSpan {
  const [, fromHour, fromMinute = "00", toHour, toMinute = "00"] =
    /^(\d{1,2})(?::(\d\d))?-(\d{1,2})(?::(\d\d))?$/.exec(text) ?? [];
  if (fromHour === undefined || toHour === undefined) {
    throw new UsageError(`--hours: "${text}" must look like 09:00-17:00.`);
  }
  return { from: `${fromHour.padStart(2, "0")}:${fromMinute}`, to: `${toHour.padStart(2, "0")}:${toMinute}` };
}

const readDates = (text: string) => (text === "none" ? [] : text.split(",").map((date) => date.trim()));

function readJson(text: string): BusinessHours {
  try {
    const { timezone, week, closed = [] } = JSON.parse(text) as BusinessHours;
    const spans = Object.values(week).flat();
    const texts = [timezone, ...closed, ...spans.flatMap(({ from, to }) => [from, to])];
    if (texts.every((each) => typeof each === "string")) return { timezone, week, closed };
  } catch {
    // Reported below: it is not JSON, or not of this shape.
  }
  throw new UsageError(
    '--hours: must look like {"timezone": "Europe/Berlin", "week": {"mon": [{"from": "09:00", "to": "17:00"}]}, "closed": []}.',
  );
}
