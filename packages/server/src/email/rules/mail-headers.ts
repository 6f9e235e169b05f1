import type { ParsedMail } from "../parse/parsed-mail.ts";

type Headers = ParsedMail["headers"];

/** No more of one header is looked at by the rules. */
export const HEADER_MAX = 16_384;

/** The topmost header of a name (in lower case), without white space around it; undefined when there is none. */
export function headerOf(headers: Headers, name: string): string | undefined {
  return headers
    .find(([each]) => each === name)?.[1]
    .slice(0, HEADER_MAX)
    .trim();
}

/** All headers of a name, from the top. */
export function headersOf(headers: Headers, name: string): string[] {
  return headers.flatMap(([each, value]) => (each === name ? [value.slice(0, HEADER_MAX).trim()] : []));
}

/** The value before its parameters and comments, in lower case: `auto-replied (vacation); x=y` is `auto-replied`. */
export function keywordOf(value: string): string {
  return /^[^;\s(]*/.exec(value.trim())?.[0].toLowerCase() ?? "";
}
