/**
 * A model reads what a tool returns, and hosts cut or refuse what is longer than 25,000 tokens. Ours are estimated, some
 * to the good and some to the bad: so many are the most.
 */
export const RESULT_TOKENS_MAX = 22_000;

/** Those of the first rows that fit into a result together; the first one always. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
  if (surelyFits(rows)) return [...rows];
  let tokens = 0;
  const end = rows.findIndex((row, index) => {
    tokens += tokensOf(row);
    return tokens > RESULT_TOKENS_MAX && index > 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** Whether a value fits into a result. */
export const fits = (value: unknown): boolean => surelyFits(value) || tokensOf(value) <= RESULT_TOKENS_MAX;

/** No byte has more than a token, so that most results need not be looked at. */
const surelyFits = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= RESULT_TOKENS_MAX;

/**
 * About how many tokens a value has as JSON. A count of bytes would not do: English has 4.2 of them in a token, ids and
 * times 1.7, and a page of tags or conversations is made of those. Held against a tokenizer (o200k), this is right within a few
 * percent for ids, times, keys, Base64, marks and letters by chance, and too high for rows with the names of their members
 * (1.1 times) and most languages (English 1.3 times, capitals and Chinese 2.5 times).
 */
export const tokensOf = (value: unknown): number => Math.ceil(count(JSON.stringify(value), Infinity).tokens);

/** A text in so many tokens: when it has more, its beginning and "…". */
export function beginning(text: string, tokensMax: number): string {
  if (Buffer.byteLength(text) <= tokensMax || count(text, tokensMax).end === text.length) return text;
  const part = text.slice(0, count(text, tokensMax - tokensOfUnit("…".charCodeAt(0))).end);
  // Not in the middle of a pair.
  return `${part.isWellFormed() ? part : part.slice(0, -1)}…`;
}

/** How many tokens a text has, and where it ends: at the character with which there would be more than `tokensMax`. */
function count(text: string, tokensMax: number): { tokens: number; end: number } {
  let before = 0;
  let kind = OTHER;
  let length = 0;
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const next = kindOf(code);
    if (next !== kind) {
      // A single mark is in one token with the letters after it, and so is a space.
      if (kind !== MARK || length > 1 || next === DIGIT) before += tokensOfRun(kind, length);
      length = 0;
    }
    kind = next;
    length += 1;
    if (next === OTHER) before += tokensOfUnit(code);
    const sum = before + tokensOfRun(kind, length);
    if (sum > tokensMax) return { tokens, end: index };
    tokens = sum;
  }
  return { tokens, end: text.length };
}

const ASCII_MAX = 0x7f;
const OTHER = 0;
const SMALL = 1;
const CAPITAL = 2;
const DIGIT = 3;
const MARK = 4;
const SPACE = 5;

function kindOf(code: number): number {
  if (code > ASCII_MAX || code < 32) return OTHER;
  if (code === 32) return SPACE;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return SMALL;
  return code >= 65 && code <= 90 ? CAPITAL : MARK;
}

/** Longer words are mostly none: keys, codes, letters by chance. */
const WORD_MAX = 16;
/** So many marks in a row stand in JSON between two values. */
const MARKS_MAX = 6;

/** A word, a number or some marks in a row. */
function tokensOfRun(kind: number, length: number): number {
  switch (kind) {
    case SMALL:
      return length <= WORD_MAX ? Math.ceil(length / 4) : length / 2;
    case CAPITAL:
      return length / 1.5;
    case DIGIT:
      return Math.ceil(length / 3);
    case MARK:
      return length <= MARKS_MAX ? Math.ceil(length / 3) : length / 1.5;
    case SPACE:
      return Math.ceil((length - 1) / 16);
    default:
      return 0;
  }
}

/** A line break, two bytes in UTF-8, half of a pair that has four, or three. What is put onto a letter weighs most. */
function tokensOfUnit(code: number): number {
  if (code < 32) return 1;
  if (code >= 0x300 && code <= 0x36f) return 2;
  if (code <= 0x7ff) return 0.5;
  return code >= 0xd800 && code <= 0xdfff ? 1.25 : 1.5;
}
