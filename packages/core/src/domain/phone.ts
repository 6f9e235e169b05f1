import { foldSearch } from "./search-text.ts";

/** Only the digits of a phone number; empty without a number. */
export function phoneDigits(phone: string | null): string {
  return (phone ?? "").normalize("NFKC").replaceAll(/\D/g, "");
}

/** Numbers with this many last digits in common are one: before them stands a country code, "00", or the "0" of a city. */
const LAST_DIGITS = 8;

/**
 * The digits that the phone numbers contain which a search looks for, or null when it contains anything but digits and the
 * usual signs between them ("Vera 2" is a name, "+49 (30) 1" is a number). Of a whole number they are the last ones, so that
 * "020 7946 0106" finds "+44 20 7946 0106". Decision 1.
 */
export function phoneSearchDigits(search: string): string | null {
  const folded = foldSearch(search);
  if (!/^[\d\s+()./\-\u2010-\u2015]+$/.test(folded)) return null;
  return folded.replaceAll(/\D/g, "").slice(-LAST_DIGITS) || null;
}
