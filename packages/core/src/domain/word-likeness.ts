/**
 * How similar a word of a question and a word of a text are, and where to look for similar words
 * (docs/decisions/0017-knowledge-search.md).
 */

/** From this value on two words count as forms of one word; more the longer their common beginning, up to 0.9. */
export const SAME_WORD = 0.8;
/** A word that contains the word of the question, or the other way round: from this value, the longer the part the more. */
const PART_OF_WORD = 0.4;
/** One edit, two edits. */
const TYPO = [0.85, 0.7] as const;
const BEGINNING = 0.6;

/** The fewest letters that two forms of a word have in common. */
const FORM_MIN = 3;
/** The most letters in which two forms of a word may differ at the end. */
const ENDING_MAX = 3;
/** The shortest part of a word: "art" is no part of "party". */
const PART_MIN = 4;
/** In shorter words a changed letter makes another word. */
const TYPO_MIN = 4;
/** In words of this length two edits are tolerated. */
const TWO_TYPOS_MIN = 8;
/** The shortest unfinished word. */
const BEGINNING_MIN = 2;

/**
 * 1: the same word. Down to `SAME_WORD`: forms of one word, by their common beginning. Below it: a part of the other, an
 * unfinished word, a typo. 0: different.
 *
 * @param forgiving whether typos are tolerated: when the word is not known otherwise
 */
export function likeness(
  asked: string,
  word: string,
  { unfinished, forgiving }: { unfinished: boolean; forgiving: boolean },
): number {
  if (asked === word) return 1;
  const [one, other] = [[...asked], [...word]];
  const forms = formLikeness(one, other);
  if (forms > 0) return forms;
  const beginning = unfinished && one.length >= BEGINNING_MIN && word.startsWith(asked) ? BEGINNING : 0;
  return Math.max(beginning, partLikeness(asked, word), forgiving ? typoLikeness(one, other) : 0);
}

/** "order" and "orders", "Lieferung" and "Lieferungen", "доставка" and "доставить". */
function formLikeness(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let common = 0;
  while (common < short.length && short[common] === long[common]) common += 1;
  const ending = long.length - common;
  const areForms =
    common >= FORM_MIN &&
    ending <= ENDING_MAX &&
    (common >= beginningOfForms(long.length) || (ending < ENDING_MAX && common === short.length));
  return areForms ? SAME_WORD + (0.1 * common) / long.length : 0;
}

/** Letters that the forms of a word have in common: about two thirds of the longer one. */
const beginningOfForms = (length: number): number => Math.ceil((2 * length - 1) / 3);

/** "Frist" in "Rückgabefrist", Arabic words with and without their article. */
function partLikeness(asked: string, word: string): number {
  const [part, whole] = asked.length < word.length ? [asked, word] : [word, asked];
  if ([...part].length < PART_MIN || !(whole.startsWith(part) || whole.endsWith(part))) return 0;
  return PART_OF_WORD * (1 + part.length / whole.length);
}

function typoLikeness(one: readonly string[], other: readonly string[]): number {
  const most = one.length < TYPO_MIN ? 0 : one.length < TWO_TYPOS_MIN ? 1 : 2;
  const distance = edits(one, other, most);
  return TYPO[distance - 1] ?? 0;
}

/**
 * Letters added, left out, replaced, or swapped with their neighbour, to turn one text into the other (Damerau and Levenshtein,
 * no letter edited twice). Infinity when there are more than `most`.
 */
export function edits(one: readonly string[], other: readonly string[], most: number): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.entries()) {
    const current = [row + 1];
    for (const [column, against] of other.entries()) {
      const replaced = at(last, column) + (letter === against ? 0 : 1);
      const swapped =
        row > 0 && column > 0 && letter === other[column - 1] && one[row - 1] === against
          ? at(beforeLast, column - 1) + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, swapped, at(last, column + 1) + 1, at(current, column) + 1));
    }
    if (Math.min(...current) > most && Math.min(...last) > most) return Number.POSITIVE_INFINITY;
    [beforeLast, last] = [last, current];
  }
  const distance = at(last, other.length);
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/** Which words of a dictionary to compare: these, those that begin so, and those that end so. */
export interface Neighbourhood {
  words: readonly string[];
  beginnings: readonly string[];
  endings: readonly string[];
}

/** The ranges with every word that `likeness` accepts without tolerating typos. */
export function formsAround(asked: string, unfinished: boolean): Neighbourhood {
  const letters = [...asked];
  const parts = letters.length <= PART_MIN ? [] : partsOf(letters);
  return {
    words: [asked, ...parts],
    beginnings: beginningsToLookAt(letters, unfinished),
    endings: letters.length >= PART_MIN ? [asked] : [],
  };
}

/**
 * The ranges of words within a typo: those with the same beginning or the same end. Of words with one edit these are all; two
 * edits in a longer word are found unless they hit both its first and its last three letters.
 */
export function typosAround(asked: string): Neighbourhood {
  const letters = [...asked];
  const half = Math.floor(letters.length / 2);
  if (letters.length < TYPO_MIN) return { words: [], beginnings: [], endings: [] };
  const kept = Math.min(3, half);
  const [left, right] = [letters[half - 1] ?? "", letters[half] ?? ""];
  return {
    // With a swap in the very middle, a short word has neither its beginning nor its end.
    words: [[...letters.slice(0, half - 1), right, left, ...letters.slice(half + 1)].join("")],
    beginnings: [letters.slice(0, kept).join("")],
    endings: [letters.slice(-kept).join("")],
  };
}

function beginningsToLookAt(letters: readonly string[], unfinished: boolean): string[] {
  if (letters.length >= FORM_MIN) {
    return [letters.slice(0, Math.max(FORM_MIN, beginningOfForms(letters.length))).join("")];
  }
  return unfinished && letters.length >= BEGINNING_MIN ? [letters.join("")] : [];
}

/** Every beginning and every end of a word that may be a word of its own. */
function partsOf(letters: readonly string[]): string[] {
  const sizes = Array.from({ length: letters.length - PART_MIN }, (_, index) => PART_MIN + index);
  return sizes.flatMap((size) => [letters.slice(0, size).join(""), letters.slice(-size).join("")]);
}

/** The reversed text, by characters: words with the same end then have the same beginning. */
export const backward = (text: string): string => [...text].reverse().join("");
