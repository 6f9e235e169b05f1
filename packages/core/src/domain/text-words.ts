/**
 * How a text is split into the words that it is found by, the same for stored texts and for questions
 * (docs/decisions/0017-knowledge-search.md).
 *
 * Scripts that separate words by spaces give words. The others (Chinese, Japanese, Korean, Thai …) give overlapping pieces of
 * two or three characters: so stored data depends on no dictionary. Korean has spaces, but attaches its particles to words.
 */

import { foldLetters } from "./folded-letters.ts";

/** A word of a question. */
export interface AskedWord {
  /** What it is looked up by: the word itself, or its pieces. */
  parts: readonly string[];
  /**
   * What matches the word: similar words, but of pieces only the very same. A single character of a script in pieces is the
   * beginning of a piece.
   */
  takes: "the like" | "the same" | "what begins so";
  /** Whether it may be unfinished: the question ends with it. */
  unfinished: boolean;
  /** The length in letters of an alphabetic word with about the same weight. */
  letters: number;
}

/** Words are distinguished by this many characters. */
const WORD_MAX = 40;
/** The most words of a question that are looked up; 255 characters of usual text contain fewer. */
const ASKED_MAX = 32;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** "e-mail", "T-shirt": one letter and a hyphen belong to the word. */
const HYPHEN_AFTER_A_LETTER = /(?<![\p{L}\p{M}\p{N}])(\p{L})[-\u2010](?=\p{L})/gu;

const CHARACTERS = "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}";
const SYLLABLES = "\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}";
/** A part of a word that is in one kind of script: "iPhoneケース" has two. */
const STRETCH = new RegExp(`[${CHARACTERS}]+|[${SYLLABLES}]+|[^${CHARACTERS}${SYLLABLES}]+`, "gu");
const UNSPACED = new RegExp(`[${CHARACTERS}${SYLLABLES}]`, "u");
const IN_CHARACTERS = new RegExp(`^[${CHARACTERS}]`, "u");
const IN_SYLLABLES = new RegExp(`^[${SYLLABLES}]`, "u");
const HAN_OR_HANGUL = /[\p{scx=Han}\p{scx=Hangul}]/gu;

/** The dictionary that segments characters is used for a question only; nothing of its answer is stored. */
const dictionary = new Intl.Segmenter("en", { granularity: "word" });

/** The words of a text, in their order, each as often as it occurs. */
export function wordsOf(text: string): string[] {
  return stretchesOf(foldLetters(text)).flatMap(({ stretch, size }) => {
    // The last pieces are shorter, so that every character begins one: a single one is found as a beginning.
    return size === 0 ? [cut(stretch)] : [...stretch].map((_, index, all) => all.slice(index, index + size).join(""));
  });
}

/**
 * The words of a question, each once, in their order. Single characters of a script in pieces are left out when there are other
 * words: alone they are mostly grammar.
 */
export function askedWords(question: string): AskedWord[] {
  const folded = foldLetters(question);
  const stretches = stretchesOf(folded);
  const asked = new Map<string, AskedWord>();
  for (const [index, { stretch, size }] of stretches.entries()) {
    if (size > 0) {
      for (const word of dictionaryWords(stretch, size)) asked.set(word, askedInPieces(word, size));
    } else {
      const unfinished = index === stretches.length - 1 && folded.endsWith(stretch);
      const word = cut(stretch);
      asked.set(word, { parts: [word], takes: "the like", unfinished, letters: [...word].length });
    }
  }
  const words = [...asked.values()];
  const whole = words.filter(({ takes }) => takes !== "what begins so");
  return (whole.length > 0 ? whole : words).slice(0, ASKED_MAX);
}

/** Whether the text contains all words of the question one after another, in their order. No words are contained in nothing. */
export const holdsPhrase = (text: string, question: string): boolean => phrasesIn(text)(question);

/** The same for many questions of one text, which is split only once. */
export function phrasesIn(text: string): (question: string) => boolean {
  const words = ` ${inARow(stretchesOf(foldLetters(text)))} `;
  return (question) => {
    const asked = stretchesOf(foldLetters(question));
    const [first, last] = [asked[0], asked.at(-1)];
    if (first === undefined || last === undefined) return false;
    // Within a script without spaces a phrase may begin and end anywhere, elsewhere only where a word does.
    return words.includes(`${first.size > 0 ? "" : " "}${inARow(asked)}${last.size > 0 ? "" : " "}`);
  };
}

/** A word, or a part of it that is in one kind of script. */
interface Stretch {
  stretch: string;
  /**
   * Characters in a piece: a Chinese word has mostly two, a Thai syllable about three. 0: its words are separated by spaces.
   */
  size: 0 | 2 | 3;
}

function stretchesOf(folded: string): Stretch[] {
  const words = folded.replace(HYPHEN_AFTER_A_LETTER, "$1").match(WORD) ?? [];
  // Most texts contain no such script; one check for all of them is four times as fast.
  if (!UNSPACED.test(folded)) return words.map((stretch) => ({ stretch, size: 0 }));
  return words.flatMap((word) => (word.match(STRETCH) ?? []).map((stretch) => ({ stretch, size: pieceSize(stretch) })));
}

function pieceSize(stretch: string): Stretch["size"] {
  if (IN_CHARACTERS.test(stretch)) return 2;
  return IN_SYLLABLES.test(stretch) ? 3 : 0;
}

const inARow = (stretches: readonly Stretch[]): string => stretches.map(({ stretch }) => stretch).join(" ");

/** The words of a stretch without spaces. Those shorter than a piece are joined: the dictionary does not know them all. */
function dictionaryWords(stretch: string, size: number): string[] {
  const words: string[] = [];
  let short = "";
  for (const { segment } of dictionary.segment(stretch)) {
    if ([...segment].length < size) {
      short += segment;
      continue;
    }
    if (short !== "") words.push(short);
    short = "";
    words.push(segment);
  }
  return short === "" ? words : [...words, short];
}

function askedInPieces(word: string, size: number): AskedWord {
  const characters = [...word];
  const starts = characters.slice(0, Math.max(1, characters.length - size + 1));
  const parts = new Set(starts.map((_, index) => characters.slice(index, index + size).join("")));
  // A Chinese character weighs more than a letter, and more than the syllables of Japanese grammar.
  const heavy = word.match(HAN_OR_HANGUL)?.length ?? 0;
  return {
    parts: [...parts],
    takes: characters.length < size ? "what begins so" : "the same",
    unfinished: false,
    letters: characters.length + 1.5 * heavy,
  };
}

const cut = (word: string): string => (word.length <= WORD_MAX ? word : [...word].slice(0, WORD_MAX).join(""));
