import { toLines } from "./text-lines.ts";

/** Letters that must agree where a quote begins and ends. */
const AGREEING_LETTERS = 20;

/**
 * The HTML has a quote at its end, and the text beside it has none that we know, as with a program in another language: where the
 * letters before and after agree, the quote begins there in the text too.
 *
 * @param line the first of the quote in `textOfHtml`
 */
export function startByHtml(text: string, textOfHtml: string, line: number): number | null {
  const start = toLines(textOfHtml)[line]?.start ?? 0;
  const before = lettersOf(textOfHtml.slice(0, start));
  const quoted = lettersOf(textOfHtml.slice(start));
  const whole = lettersOf(text);
  const rest = whole.slice(before.length);
  if (before === "" || quoted.length < AGREEING_LETTERS || !whole.startsWith(before)) return null;
  if (rest.slice(0, AGREEING_LETTERS) !== quoted.slice(0, AGREEING_LETTERS)) return null;
  if (rest.slice(-AGREEING_LETTERS) !== quoted.slice(-AGREEING_LETTERS)) return null;
  return startOfLineAfterLetters(text, before.length);
}

const LETTERS = /[\p{L}\p{N}]/gu;

const lettersOf = (text: string) => text.match(LETTERS)?.join("") ?? "";

function startOfLineAfterLetters(text: string, units: number): number | null {
  let counted = 0;
  for (const { 0: letter, index } of text.matchAll(LETTERS)) {
    if (counted < units) {
      counted += letter.length;
      continue;
    }
    const start = text.lastIndexOf("\n", index) + 1;
    // In the middle of a line: not a quote that begins with one.
    return lettersOf(text.slice(start, index)) === "" ? start : null;
  }
  return null;
}
