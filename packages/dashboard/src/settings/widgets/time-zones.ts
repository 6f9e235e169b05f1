/** Time zones by city. */
import { language, locale } from "../../texts/texts.ts";

/** All time zones of the browser, by city; the current one may have another name. */
export function zones(value: string): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", value])].toSorted((a, b) =>
    cityOf(a).localeCompare(cityOf(b), language),
  );
}

/** `America/Argentina/Buenos_Aires`: Buenos Aires, in America/Argentina. */
export const written = (zone: string) => zone.replaceAll("_", " ");
export const cityOf = (zone: string) => written(zone.slice(zone.lastIndexOf("/") + 1));
export const regionOf = (zone: string) => written(zone.slice(0, Math.max(0, zone.lastIndexOf("/"))));

/** The current time in the time zone. */
export function clockOf(timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }).format(Date.now());
}
