/** ISO 3166 codes by themselves and by the English country name, both in lower case, built once from the platform's tables. */
let codesByName: Map<string, string> | undefined;
/** ISO 3166 codes by time zone: the platform's names, each of one country, and others as they are asked for. */
let codesByTimeZone: Map<string, string | null> | undefined;
/** The platform has 418. */
const MOST_TIME_ZONES = 2_000;

let english: Intl.DisplayNames | undefined;

/** The two-letter code of `country`, which is a code or an English name; null when it is neither. */
export function countryCode(country: string | null): string | null {
  if (!country) return null;
  codesByName ??= namesOfCountries();
  return codesByName.get(country.trim().toLowerCase()) ?? null;
}

/** The English name of the country with this code, as `countryCode` reads it. */
export function countryName(code: string): string {
  return inEnglish(code) ?? code;
}

/**
 * The code of the country that a time zone belongs to; null for a zone of no country (`UTC`), and for what is no time zone.
 * People travel and borders cut zones, so it is a guess.
 */
export function countryOfTimeZone(timezone: string | null): string | null {
  if (!timezone) return null;
  codesByTimeZone ??= timeZonesOfCountries();
  const known = codesByTimeZone.get(timezone);
  if (known !== undefined) return known;
  const code = codesByTimeZone.get(platformName(timezone)) ?? null;
  // Visitors send these texts, so that not all of them are kept.
  if (codesByTimeZone.size < MOST_TIME_ZONES) codesByTimeZone.set(timezone, code);
  return code;
}

/** The flag of a country as an emoji: its code in regional indicator letters. */
export function countryEmoji(code: string | null): string | null {
  if (!code) return null;
  const REGIONAL_INDICATOR_A = 0x1f1e6;
  return [...code].map((letter) => String.fromCodePoint(REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 65)).join("");
}

function inEnglish(code: string): string | undefined {
  english ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  return english.of(code);
}

function namesOfCountries(): Map<string, string> {
  const names = new Map<string, string>();
  for (const { code, name } of countries()) {
    names.set(code.toLowerCase(), code);
    names.set(name.toLowerCase(), code);
  }
  return names;
}

function timeZonesOfCountries(): Map<string, string | null> {
  const zones = new Map<string, string | null>();
  for (const { code, locale } of countries()) {
    for (const zone of locale.getTimeZones() ?? []) zones.set(zone, code);
  }
  return zones;
}

/** Browsers name some time zones differently: `Asia/Kolkata` is `Asia/Calcutta` here. */
function platformName(timezone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return "";
  }
}

function* countries(): Generator<{ code: string; name: string; locale: Intl.Locale }> {
  for (let first = 65; first <= 90; first += 1) {
    for (let second = 65; second <= 90; second += 1) {
      const code = String.fromCharCode(first, second);
      const name = inEnglish(code);
      const locale = new Intl.Locale(`und-${code}`);
      // A withdrawn code (DD) has become another one; only present ones count.
      if (name && locale.region === code && !NOT_COUNTRIES.has(code)) yield { code, name, locale };
    }
  }
}

/** Region codes of the platform's tables that are no country: groupings, outlying, pseudo and unknown regions. */
const NOT_COUNTRIES = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);
