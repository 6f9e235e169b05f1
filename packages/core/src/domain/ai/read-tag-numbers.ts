import { SUGGESTED_TAGS_MAX } from "./copilot.ts";

/**
 * The tags that a model has chosen, as indexes from 0, the best first and each once. Whatever else it wrote chooses nothing.
 *
 * @param count how many tags there were to choose from
 */
export function readTagNumbers(text: string, count: number): number[] {
  const lines = text.split("\n").map((line) => /^\s*\[?(\d{1,4})\]?[.,:)]?(?:\s.*)?$/.exec(line)?.[1]);
  const indexes = lines.flatMap((number) => (number === undefined ? [] : Number(number) - 1));
  return [...new Set(indexes)].filter((index) => index >= 0 && index < count).slice(0, SUGGESTED_TAGS_MAX);
}
