import { because } from "./reasons.ts";
import { invalid } from "./refusal.ts";

/** Something that can be seen: white space, control and joining characters alone name nothing. */
export const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/**
 * A name that somebody gave to a tag or a custom field, without the white space around it. It is one line of 1 to `max`
 * characters; a character is a code point, as in the contract's schemas.
 *
 * @throws Refusal `invalid` on `field`
 */
export function boundedName(field: string, name: string, max: number): string {
  const trimmed = boundedText(field, name.trim(), max);
  if (!VISIBLE.test(trimmed)) throw invalid({ [field]: "empty" });
  if (/\p{Cc}/u.test(trimmed)) throw invalid({ [field]: "control-characters" });
  return trimmed;
}

/**
 * A text as it was given, of 0 to `max` characters; NUL and lone surrogates are no text (decision 28).
 *
 * @throws Refusal `invalid` on `field`
 */
export function boundedText(field: string, text: string, max: number): string {
  if (!text.isWellFormed() || text.includes("\0")) throw invalid({ [field]: "unstorable-text" });
  if (isLongerThan(text, max)) throw invalid({ [field]: because("too-long", { max }) });
  return text;
}

/** A character is a code point. */
export function isLongerThan(text: string, max: number): boolean {
  // A code point is one or two units, so most texts need no counting.
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}
