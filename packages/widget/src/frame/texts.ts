import { fileSizeText } from "@frontdesk/client/visitor";
import type { FrameConfig, Texts } from "./frame-config.ts";

/** Texts in the visitor's language; numbers and dates as their region writes them. */
export interface Wording {
  t: Texts;
  /** A text with its placeholders filled. */
  fill(text: string, values: Record<string, string>): string;
  unread(count: number): string;
  time(at: number): string;
  /** "today", "yesterday", or the date. */
  day(at: number): string;
  /** When the team is back. */
  backAt(at: number): string;
  /** A file size, from bytes. */
  size(bytes: number): string;
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

export function wordingOf({ texts: t, locale }: FrameConfig): Wording {
  const plural = new Intl.PluralRules(locale);
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const date = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "long" });
  const fill: Wording["fill"] = (text, values) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  return {
    t,
    fill,
    unread: (count) =>
      fill(t.$unread[plural.select(count)] ?? t.$unread.other ?? "", {
        count: count.toLocaleString(locale),
      }),
    time: (at) => clock.format(at),
    day(at) {
      const days = daysUntil(at);
      return days > -2 ? relative.format(days, "day") : date.format(at);
    },
    backAt(at) {
      const days = daysUntil(at);
      const time = clock.format(at);
      if (days < 2) return fill(t.$backSoon, { day: relative.format(days, "day"), time });
      return fill(t.$backOn, { day: (days < WEEK_DAYS ? weekday : date).format(at), time });
    },
    size: (bytes) => fileSizeText(bytes, locale),
  };
}

function daysUntil(at: number): number {
  return Math.round((startOfDay(at) - startOfDay(Date.now())) / DAY_MS);
}

/** Midnight in the visitor's time zone. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
