import { type BusinessHours, weekdays } from "../business-hours.ts";

/** Opening hours as a model reads them; empty without any. */
export function hoursInWords(hours: BusinessHours | null): string {
  if (!hours) return "";
  const days = weekdays.map((day) => {
    const spans = (hours.week[day] ?? []).map(({ from, to }) => `${from}-${to}`);
    return `${day} ${spans.length > 0 ? spans.join(", ") : "closed"}`;
  });
  const closed = hours.closed.length > 0 ? `; closed on ${hours.closed.join(", ")}` : "";
  return `${days.join("; ")}${closed} (${hours.timezone})`;
}
