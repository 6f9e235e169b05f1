import { shortWhen, timeOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";

/** The hour at which a snooze until a day ends. */
const MORNING_HOUR = 9;
const HOUR_MS = 3_600_000;
const MONDAY = 1;
const SOME_DAYS = 3;

export interface SnoozeChoice {
  id: string;
  label: string;
  hint?: string;
  input: { until: string } | { until_reply: true };
}

/** The suggested ends of a snooze, in the agent's time zone. Any other time can be picked as well. */
export function snoozeChoices(now = new Date()): SnoozeChoice[] {
  const monday = daysUntilMonday(now);
  return [
    at("hour", t("snooze.hour"), new Date(now.getTime() + HOUR_MS)),
    at("tomorrow", t("snooze.tomorrow"), morning(now, 1)),
    // No time twice: on a Sunday Monday is tomorrow, and on a Friday it is in three days.
    ...(monday === SOME_DAYS ? [] : [at("days", t("snooze.days", { count: SOME_DAYS }), morning(now, SOME_DAYS))]),
    ...(monday === 1 ? [] : [at("next-week", t("snooze.nextWeek"), morning(now, monday))]),
    { id: "reply", label: t("snooze.untilReply"), input: { until_reply: true } },
  ];
}

function at(id: string, label: string, time: Date): SnoozeChoice {
  const until = time.toISOString();
  return { id, label, hint: `${shortDay(until)} ${timeOf(until)}`, input: { until } };
}

/** The weekday, also for today. */
function shortDay(until: string): string {
  return shortWhen(until, Date.parse(until) + 24 * HOUR_MS);
}

function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);
}

function daysUntilMonday(now: Date): number {
  return (MONDAY + 7 - now.getDay()) % 7 || 7;
}
