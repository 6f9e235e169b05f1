/** Letters of Hebrew, Arabic and the scripts beside them in Unicode. */
const RTL = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]";
const RTL_LETTER = new RegExp(RTL);
const LTR_LETTER = new RegExp(`(?!${RTL})\\p{L}`, "u");

/**
 * A value within a sentence of the page. One of the other direction gets Unicode's isolating characters: otherwise the full stop
 * of "Ada W." would be shown before it in an Arabic sentence.
 */
export function isolated(value: string, direction: "ltr" | "rtl"): string {
  const foreign = direction === "rtl" ? LTR_LETTER : RTL_LETTER;
  return foreign.test(value) ? `\u2068${value}\u2069` : value;
}
