/** What an agent types into the search of the inbox: words, and operators in any order between them. */
import { distinctWords, foldSearch } from "./search-text.ts";

export const searchOperators = ["tag", "status", "from", "before", "after"] as const;
export type SearchOperator = (typeof searchOperators)[number];

export const searchStatuses = ["open", "snoozed", "resolved"] as const;
export type SearchStatus = (typeof searchStatuses)[number];

export interface SearchQuery {
  /** Without the operators. */
  text: string;
  /** The words of the text, folded; what stands in quotes is one. */
  words: string[];
  /** In the order in which they were typed. One without a value is being typed, and left out. */
  operators: { operator: SearchOperator; value: string }[];
}

/** A full-width colon is what keyboards for Chinese and Japanese type. */
const OPERATOR = new RegExp(`(?<!\\S)(${searchOperators.join("|")})[:：](?:"([^"]*)"?|(\\S*))`, "giu");
const WORD = /"([^"]*)"|[^\s"]+/g;

export function parseSearch(typed: string): SearchQuery {
  const operators: SearchQuery["operators"] = [];
  const text = typed
    .replace(/[“”„«»＂]/g, '"')
    .replace(OPERATOR, (_, operator: string, quoted?: string, plain?: string) => {
      const value = (quoted ?? plain ?? "").trim();
      if (value) operators.push({ operator: operator.toLowerCase() as SearchOperator, value });
      return " ";
    })
    .replace(/\s+/g, " ")
    .trim();
  const words = [...text.matchAll(WORD)].flatMap(([whole, quoted]) =>
    quoted === undefined ? foldSearch(whole).split(/\s+/) : foldSearch(quoted).trim(),
  );
  return { text, words: distinctWords(words), operators };
}

/** The words to mark in what was found: those of the text and of `from:`. */
export function wordsToMark(typed: string): string[] {
  const { words, operators } = parseSearch(typed);
  const from = operators
    .filter(({ operator }) => operator === "from")
    .flatMap(({ value }) => foldSearch(value).split(/\s+/));
  return distinctWords([...words, ...from]);
}

/** A day, month or year, "2026-11-23", "2026-11" or "2026", as its first day; undefined for anything else. */
export function searchDay(value: string): { year: number; month: number; day: number } | undefined {
  const found = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(foldSearch(value));
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1] = found.slice(1).flatMap((part) => (part === undefined ? [] : [Number(part)]));
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000
    ? { year, month, day }
    : undefined;
}
