import type { FrameConfig, PlainText } from "./frame-config.ts";

/** Texts, numbers and dates in the visitor's language. */
export interface Wording {
  t(key: PlainText, values?: Record<string, string>): string;
  unread(count: number): string;
  time(at: number): string;
  /** "today", "yesterday", or the date. */
  day(at: number): string;
}

const DAY_MS = 86_400_000;

export function wordingOf({ texts, language }: FrameConfig): Wording {
  const plural = new Intl.PluralRules(language);
  const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const date = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" });
  const fill = (text: string, values: Record<string, string>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  return {
    t: (key, values = {}) => fill(texts[key], values),
    unread: (count) =>
      fill(texts.unread[plural.select(count)] ?? texts.unread.other ?? "", {
        count: count.toLocaleString(language),
      }),
    time: (at) => clock.format(at),
    day(at) {
      const days = Math.round((startOfDay(at) - startOfDay(Date.now())) / DAY_MS);
      return days > -2 ? relative.format(days, "day") : date.format(at);
    },
  };
}

/** Midnight of the day where the visitor is. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
