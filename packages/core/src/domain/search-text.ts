/**
 * The one rule of what a search finds (docs/decisions/0045-what-a-search-finds.md). Text is stored folded next to the original,
 * and a search is folded in the same way, so that both engines and the dashboard compare plain characters.
 */
import { foldLetters } from "./folded-letters.ts";

/** Separates the fields of one searchable text; never inside a field, so that no match spans two of them. */
const FIELD_SEPARATOR = "\u001f";
/** The most words of a search that are compared. */
const WORDS_MAX = 16;

/** Apostrophes, and invisible characters that come with copied text. */
const NOT_TYPED =
  /['`\u00b4\u02b9-\u02bf\u0384\u1ffd\u2018-\u201b\u2032\u2035\uff07\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const OTHERWISE = new Map([
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ŋ", "n"],
  ["ð", "d"],
  ["þ", "th"],
  ["ə", "e"],
  // Urdu: two forms of heh.
  ["\u06c1", "\u0647"],
  ["\u06be", "\u0647"],
  // Ukrainian and older Russian.
  ["ґ", "г"],
]);
const HAS_OTHERWISE = new RegExp(`[${[...OTHERWISE.keys()].join("")}]`, "g");
const HIRAGANA = /[\u3041-\u3096\u309d\u309e]/g;
const TO_KATAKANA = 0x60;

/**
 * A text as a search compares it: letter case, accents, apostrophes, width and kind of kana and the digits of a script do not
 * matter, and letters that many keyboards lack are those that people type for them.
 */
export function foldSearch(text: string): string {
  // Most texts are plain; the other way takes ten times as long.
  if (PLAIN.test(text)) return text.toLowerCase().replace(PLAIN_NOT_TYPED, "").replaceAll(FIELD_SEPARATOR, " ");
  return foldLetters(text.replace(NOT_TYPED, ""))
    .replace(NOT_TYPED, "")
    .replace(HAS_OTHERWISE, (letter) => OTHERWISE.get(letter) as string)
    .replace(HIRAGANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + TO_KATAKANA))
    .replaceAll(FIELD_SEPARATOR, " ");
}
const PLAIN = /^\p{ASCII}*$/u;
const PLAIN_NOT_TYPED = /['`]/g;

/** Letters that are also written as two: German, Danish, Norwegian, Swedish. Folded they are the first of the two. */
export const WRITTEN_AS_TWO: ReadonlyMap<string, string> = new Map([
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["ø", "oe"],
  ["å", "aa"],
]);
export const HAS_ONE = /[äöüøå]/;
const EACH_ONE = /[äöüøå]/g;
/** Two letters that may stand for one. In "que", "neue" and "bauen" they do not. */
export const TWO_FOR_ONE = /ae|oe|(?<![aeq])ue/g;
const HAS_TWO = /[ao]e|ue/;

/** A text in the form that is stored, to be searched. Words that can be written in another way are there in each of them. */
export function searchable(text: string): string {
  const folded = foldSearch(text);
  const others = new Set<string>();
  const plain = text.normalize("NFKC").toLowerCase();
  if (HAS_ONE.test(plain)) {
    for (const word of plain.split(/\s+/)) {
      if (HAS_ONE.test(word)) others.add(foldSearch(word.replace(EACH_ONE, asTwo)));
    }
  }
  if (HAS_TWO.test(folded)) {
    for (const word of folded.split(/\s+/)) {
      if (HAS_TWO.test(word)) others.add(word.replace(TWO_FOR_ONE, (two) => two.charAt(0)));
    }
  }
  if (others.size === 0) return folded;
  for (const word of folded.split(/\s+/)) others.delete(word);
  return [folded, ...others].join(FIELD_SEPARATOR);
}

const asTwo = (letter: string): string => WRITTEN_AS_TWO.get(letter) as string;

/** Several fields as one searchable text. */
export function searchText(...fields: (string | null)[]): string {
  return fields.map((field) => searchable(field ?? "")).join(FIELD_SEPARATOR);
}

/**
 * The words of a search, folded, the longest first: each has to be contained. None when nothing to compare remains, which is no
 * search.
 */
export function searchWords(search: string): string[] {
  return distinctWords(foldSearch(search).split(/\s+/));
}

/** Folded words without those that another one contains. */
export function distinctWords(words: readonly string[]): string[] {
  const longestFirst = [...new Set(words)].filter(Boolean).toSorted((a, b) => b.length - a.length);
  return longestFirst
    .filter((word, index) => !longestFirst.slice(0, index).some((longer) => longer.includes(word)))
    .slice(0, WORDS_MAX);
}
