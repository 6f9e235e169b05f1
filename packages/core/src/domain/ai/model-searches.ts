import { withoutInvisible } from "./plain-answer.ts";

/** Longer ones are cut, in characters: the words of a question, not an essay. */
export const MODEL_SEARCH_MAX = 200;

const SEARCH_LINE = /^[\s#>*_`"'([<-]*search(?![\p{L}\p{N}'’-])[*_`"'\])>]*\s*[:：-]?/iu;
/** Signs around the words: quotes, brackets, Markdown. */
const AROUND = /^[\s"'“”«»„`*_([<-]+|[\s"'“”«»„`*_)\]>;]+$/gu;

/**
 * What a model wants the articles to be searched for: the first line of the text of a `SEARCH`, and each further line that begins
 * with the word. Other lines are remarks. What it writes may be a visitor's doing: each search is one line of bounded length.
 *
 * @param text as `readModelAnswer` gives it
 */
export function searchesIn(text: string): string[] {
  const [first = "", ...others] = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  const lines = [first, ...others.filter((line) => SEARCH_LINE.test(line))];
  return [...new Set(lines.map(wordsIn))].filter((words) => /[\p{L}\p{N}]/u.test(words));
}

function wordsIn(line: string): string {
  // Cut before it is looked at: a line can be very long.
  const words = withoutInvisible(line.slice(0, 4 * MODEL_SEARCH_MAX))
    .replace(SEARCH_LINE, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(AROUND, "");
  return words.slice(0, MODEL_SEARCH_MAX).toWellFormed().trim();
}
