import { because } from "./reasons.ts";
import { invalid } from "./refusal.ts";

/** A visible character: white space, control and joining characters alone are no name. */
export const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/**
 * The name of a tag or a custom field, without surrounding white space. It is one line of 1 to `max` characters; a character is
 * a code point, as in the contract's schemas.
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
 * A text, unchanged, of 0 to `max` characters; NUL and lone surrogates are refused (decision 28).
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
