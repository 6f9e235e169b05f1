/**
 * A model reads what a tool returns, and hosts cut or refuse results longer than 25,000 tokens. Our count is an estimate, too
 * high or too low: this margin allows for it.
 */
export const RESULT_TOKENS_MAX = 22_000;

/** The longest prefix of the rows that fits into a result; at least one row. */
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

/** A byte is never more than one token, so most results need not be counted. */
const surelyFits = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= RESULT_TOKENS_MAX;

/**
 * About how many tokens a value has as JSON. A count of bytes would not do: English has 4.2 of them in a token, ids and times
 * 1.7, and a page of tags or conversations consists of those. Compared with a tokenizer (o200k), this is right within a few
 * percent for ids, times, keys, Base64, marks and random letters, and too high for rows with the names of their members (1.1
 * times) and most languages (English 1.3 times, capitals and Chinese 2.5 times).
 */
export const tokensOf = (value: unknown): number => Math.ceil(count(JSON.stringify(value), Infinity).tokens);

/** A text limited to this many tokens: when it has more, its beginning and "…". */
export function beginning(text: string, tokensMax: number): string {
  if (Buffer.byteLength(text) <= tokensMax || count(text, tokensMax).end === text.length) return text;
  const part = text.slice(0, count(text, tokensMax - tokensOfUnit("…".charCodeAt(0))).end);
  // Not in the middle of a surrogate pair.
  return `${part.isWellFormed() ? part : part.slice(0, -1)}…`;
}

/** How many tokens a text has, and where it ends: at the character that would exceed `tokensMax`. */
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

/** Longer words are mostly none: keys, codes, random letters. */
const WORD_MAX = 16;
/** In JSON this many marks are between two values. */
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

/** A line break, two bytes in UTF-8, half of a pair that has four, or three. Combining marks cost most. */
function tokensOfUnit(code: number): number {
  if (code < 32) return 1;
  if (code >= 0x300 && code <= 0x36f) return 2;
  if (code <= 0x7ff) return 0.5;
  return code >= 0xd800 && code <= 0xdfff ? 1.25 : 1.5;
}
