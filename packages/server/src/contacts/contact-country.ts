import { countryName, countryOfTimeZone } from "@frontdesk/core/domain/country";
import type { ContactRow } from "../storage/tables.ts";

/** The country of a contact, by its English name and its code. */
export interface ContactCountry {
  country: string | null;
  country_code: string | null;
  /** Whether it comes from the time zone, which is all that live chat knows. */
  isGuessed: boolean;
}

/**
 * The country that was stored, or else the one of the time zone. The guess is never stored, so it hides nothing that a program
 * has written, and follows a visitor who travels. docs/decisions/0050-what-live-chat-knows-of-visitors.md
 */
export function countryOf({
  country,
  country_code,
  timezone,
}: Pick<ContactRow, "country" | "country_code" | "timezone">): ContactCountry {
  const guess = country === null ? countryOfTimeZone(timezone) : null;
  if (guess === null) return { country, country_code, isGuessed: false };
  return { country: countryName(guess), country_code: guess, isGuessed: true };
}
