/** Names of countries and languages in the language of the dashboard. */
import { language, lazily, locale } from "./texts.ts";

const regions = lazily(() => new Intl.DisplayNames([language], { type: "region" }));
const languages = lazily(() => new Intl.DisplayNames([language], { type: "language" }));

const one = lazily(() => new Intl.ListFormat(locale, { type: "disjunction" }));

/** "Ada, Mia or Sam". */
export const oneOf = (names: readonly string[]): string => one().format(names);

/** The name of a contact's country; as it was stored when it is no country that is known. */
export function countryName({
  country = null,
  country_code = null,
}: {
  country?: string | null;
  country_code?: string | null;
}): string | null {
  return country_code === null ? country : (regions().of(country_code) ?? country);
}

/** "English" for `en`; what is no language tag stays as it is. */
export function languageName(tag: string): string {
  try {
    return languages().of(tag) ?? tag;
  } catch {
    return tag;
  }
}
