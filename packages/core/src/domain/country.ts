/** ISO 3166 codes by themselves and by the English country name, both in lower case, built once from the platform's tables. */
let codesByName: Map<string, string> | undefined;

/** The two-letter code of `country`, which is a code or an English name; null when it is neither. */
export function countryCode(country: string | null): string | null {
  if (!country) return null;
  codesByName ??= namesOfCountries();
  return codesByName.get(country.trim().toLowerCase()) ?? null;
}

/** The flag of a country as an emoji: its code in regional indicator letters. */
export function countryEmoji(code: string | null): string | null {
  if (!code) return null;
  const REGIONAL_INDICATOR_A = 0x1f1e6;
  return [...code].map((letter) => String.fromCodePoint(REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 65)).join("");
}

function namesOfCountries(): Map<string, string> {
  const english = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const names = new Map<string, string>();
  for (let first = 65; first <= 90; first += 1) {
    for (let second = 65; second <= 90; second += 1) {
      const code = String.fromCharCode(first, second);
      const name = english.of(code);
      // A withdrawn code (DD) has become another one; only present ones count.
      const current = new Intl.Locale(`und-${code}`).region === code;
      if (!name || !current || NOT_COUNTRIES.has(code)) continue;
      names.set(code.toLowerCase(), code);
      names.set(name.toLowerCase(), code);
    }
  }
  return names;
}

/** Region codes of the platform's tables that are no country: groupings, outlying, pseudo and unknown regions. */
const NOT_COUNTRIES = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);
