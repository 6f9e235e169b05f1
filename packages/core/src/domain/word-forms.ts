/**
 * Other forms of a searched word, in which messages may contain it: without its ending, and with one typo
 * (docs/decisions/0045-what-a-search-finds.md). Words are folded. Stored texts know nothing of it.
 */

/** Endings that are cut off, if so many letters remain. A form that is not cut is found by itself alone. */
const ENDINGS: readonly { ending: RegExp; least: number; cut?: (rest: string) => string }[] = [
  // English, and plurals of French, Spanish and Portuguese: "deliveries", "boxes", "shipped", "tracking", "blankets".
  { ending: /(?<=^[a-z]+)(?:ies|ied)$/, least: 4 },
  { ending: /(?<=^[a-z]+(?:x|z|ch|sh|ss))es$/, least: 3 },
  { ending: /(?<=^[a-z]+)ings?$/, least: 5, cut: once },
  { ending: /(?<=^[a-z]+)ed$/, least: 4, cut: once },
  // German plurals: "Rechnungen".
  { ending: /(?<=^[a-z]+)en$/, least: 5 },
  { ending: /(?<=^[a-z]+[^sui])s$/, least: 4, cut: withoutVowel },
  { ending: /(?<=^[a-z]+)[aeioy]$/, least: 5 },
  {
    ending:
      /(?<=^\p{sc=Cyrl}+)(?:иями|[аия]ми|[оеы]го|[ое]му|[ыи]ми|иях|[аяы]х|[оеы]и|ии|[оеаяыи]м|[оеиы]в|[уюаяоеы][юяе]|[аеиоуыьюя])$/u,
    least: 4,
  },
  // Arabic: the plurals, "my", and what was folded to heh.
  { ending: /(?<=^\p{sc=Arab}+)(?:ات|ون|ين|ي|ه)$/u, least: 3 },
  // Hindi: the vowel signs of plurals and cases.
  { ending: /(?<=^[\u0900-\u097f]+)[\u0902\u093e-\u094c]+$/, least: 3 },
];
const ARABIC_ARTICLE = /^(?:[وبف]?ال|لل)(?=\p{sc=Arab}{3})/u;

/** A word without the ending of its form, so that one form finds others: part of it, so that it finds itself. */
export function stemOf(word: string): string {
  const bare = word.replace(ARABIC_ARTICLE, "");
  for (const { ending, least, cut } of ENDINGS) {
    const rest = bare.replace(ending, "");
    if (rest !== bare && [...rest].length >= least) return cut ? cut(rest) : rest;
  }
  return bare;
}

/** "shipp" is "ship". */
function once(rest: string): string {
  return /([^aeiou])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutVowel(rest: string): string {
  return rest.length > 5 && /[aeioy]$/.test(rest) ? rest.slice(0, -1) : rest;
}

/** What a text contains that contains a word with at most one typo. */
export interface TypoForms {
  /** It contains one of these, */
  pieces: readonly [string, string, string];
  /** and one of these, in which `_` is any character. */
  patterns: readonly string[];
}

const TYPO_LEAST = 5;
const TYPO_MOST = 24;
const LETTERS = /^[\p{L}\p{M}]+$/u;
/** A character of these is much of a word. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** The forms of a word with one letter wrong, missing or too many, or two swapped; undefined for a word that takes no typo. */
export function typoForms(word: string): TypoForms | undefined {
  const letters = [...word];
  const { length } = letters;
  if (length < TYPO_LEAST || length > TYPO_MOST || !LETTERS.test(word) || DENSE.test(word)) return undefined;
  const cut = (from: number, to?: number) => letters.slice(from, to).join("");
  const swapped = (at: number) => `${cut(0, at)}${letters[at + 1]}${letters[at]}${cut(at + 2)}`;
  const patterns = new Set<string>([word]);
  for (let at = 0; at < length; at += 1) {
    patterns.add(`${cut(0, at)}_${cut(at + 1)}`);
    if (at > 0) patterns.add(`${cut(0, at)}_${cut(at)}`);
    if (length > TYPO_LEAST) patterns.add(cut(0, at) + cut(at + 1));
    if (at + 1 < length) patterns.add(swapped(at));
  }
  // One typo leaves one of the halves whole, but for a swap of the two letters between them.
  const middle = length >> 1;
  return { pieces: [cut(0, middle), cut(middle), swapped(middle - 1)], patterns: [...patterns] };
}
