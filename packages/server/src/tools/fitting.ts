/**
 * A model reads what a tool returns, and hosts cut or refuse what is longer than 25,000 tokens. Ours are estimated, some
 * to the good and some to the bad: so many are the most.
 */
export const RESULT_TOKENS_MAX = 22_000;

/** Those of the first rows that fit into a result together; the first one always. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
  let tokens = 0;
  const end = rows.findIndex((row, place) => {
    tokens += tokensOf(row);
    return tokens > RESULT_TOKENS_MAX && place > 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/**
 * About how many tokens a value has as JSON. A count of bytes would not do: English has 4.2 of them in a token, ids and
 * times 1.7, and a page of tags or conversations is made of those. Held against a tokenizer (o200k), this is right within
 * a few percent for ids and times, too high for most languages (English 1.3 times, Chinese 2.4 times), and too low for
 * what nobody writes, such as letters by chance.
 */
export function tokensOf(value: unknown): number {
  const text = JSON.stringify(value);
  let tokens = 0;
  let kind = OTHER;
  let length = 0;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    const next = kindOf(code);
    if (next !== kind) {
      tokens += tokensOfRun(kind, length);
      kind = next;
      length = 0;
    }
    length += 1;
    if (code > ASCII_MAX) tokens += tokensOfUnit(code);
  }
  return Math.ceil(tokens + tokensOfRun(kind, length));
}

const ASCII_MAX = 0x7f;
const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const MARK = 3;
const SPACE = 4;

function kindOf(code: number): number {
  if (code > ASCII_MAX) return OTHER;
  if (code === 32) return SPACE;
  if (code >= 48 && code <= 57) return DIGIT;
  const small = code | 32;
  return small >= 97 && small <= 122 ? LETTER : MARK;
}

/** A word, a number or some marks in a row. One space belongs to the word after it. */
function tokensOfRun(kind: number, length: number): number {
  switch (kind) {
    case LETTER:
      return Math.ceil(length / 4);
    case DIGIT:
    case MARK:
      return Math.ceil(length / 3);
    case SPACE:
      return Math.ceil((length - 1) / 16);
    default:
      return 0;
  }
}

/** Two bytes in UTF-8, half of a pair that has four, or three. */
function tokensOfUnit(code: number): number {
  if (code <= 0x7ff) return 0.5;
  return code >= 0xd800 && code <= 0xdfff ? 1.25 : 1.5;
}

/** The beginning of a text in so many bytes, and that it goes on. */
export function beginning(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const part = Buffer.from(text).subarray(0, bytesMax);
  // A character that was cut in two at the end decodes as U+FFFD.
  return `${part.toString().replace(/\uFFFD+$/, "")}…`;
}
