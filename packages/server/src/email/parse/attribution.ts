import { WROTE } from "./quote-words.ts";
import { isBlank, isQuoted, type Line } from "./text-lines.ts";

/** Attribution lines are wrapped by some programs. */
const LINES_MAX = 4;
const LENGTH_MAX = 500;

const TIME = /\d[:.h]\d\d/;
const HAS_ADDRESS = /[^\s<>@]@[^\s<>@]/;
/** How dates begin in the languages whose attributions begin with one. */
const OPENING = "(?:On|Am|Le|El|Il|Em|Op|Den|Dnia|Dne)";
/** Programs write them around names in languages from right to left. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The first line of the attribution ("On Monday, Ada wrote:") that ends above `below`; null without one.
 *
 * @param is what is taken as one: `isAttribution` where quoted lines follow, else `isCertainAttribution`
 */
export function startOfAttribution(lines: Line[], below: number, is: (text: string) => boolean): number | null {
  let last = below - 1;
  while (last >= 0 && isBlank(lines[last] as Line)) last--;
  let shortest: number | null = null;
  for (let first = last; first >= 0 && first > last - LINES_MAX; first--) {
    const line = lines[first] as Line;
    const text = joined(lines.slice(first, last + 1));
    if (isBlank(line) || isQuoted(line) || text.length > LENGTH_MAX) break;
    if (!is(text) || isVerbAlone(text)) continue;
    if (isWhole(text, lines[first - 1], shortest === null ? 1 : 2)) return first;
    shortest ??= first;
  }
  return shortest;
}

/** `On 5 Jan 2026,` in a line of its own: what follows it is not the whole. */
const OPENS_DATE = new RegExp(`^\\s*${OPENING}\\s.{0,40}\\d.{0,20},\\s*$`, "i");

/** A date begins most attributions. Without one, more lines are tried, but a sentence of the sender right above has none. */
function isWhole(text: string, above: Line | undefined, numbers: number): boolean {
  if (isSenderAndVerb(text)) return !/,\s*$/.test(above?.text ?? "");
  return numbersIn(text).length >= numbers && !OPENS_DATE.test(above?.text ?? "");
}

/** `<ada@example.com> wrote:`, where the date and the name are in the lines above. */
function isVerbAlone(text: string): boolean {
  const words = text
    .toLowerCase()
    .replaceAll(/\S*@\S*|[\s<>:：*]+/g, " ")
    .trim();
  return words === "" || WROTE.includes(words);
}

const OPENED = new RegExp(`^\\s*(?:[-<"\\d]|${OPENING}\\s)`, "i");
const OPENING_INSIDE = new RegExp(`(?<=\\S)(?:\\s+|-{3}\\s*)(?=${OPENING}\\s.{0,20}\\d)`);

/** How many characters of an attribution's first line are the sender's own words, as in `Thanks! On 5 Jan 2026 at 10:00, Ada … wrote:`. */
export function wordsBeforeAttribution(lines: Line[], first: number): number {
  const line = lines[first] as Line;
  const { text } = line;
  if (isQuoted(line)) return 0;
  const opening = OPENED.test(text) ? null : OPENING_INSIDE.exec(text);
  if (opening === null) return 0;
  const rest = { start: 0, text: text.slice(opening.index + opening[0].length) };
  for (let count = 0; count < LINES_MAX; count++) {
    if (isCertainAttribution(joined([rest, ...lines.slice(first + 1, first + 1 + count)]))) return opening.index;
  }
  return 0;
}

/** Of lines that are quoted themselves, as Apple Mail does. */
export function beginsWithAttribution(lines: Line[]): boolean {
  for (let count = 1; count <= LINES_MAX && count <= lines.length; count++) {
    const text = joined(lines.slice(0, count));
    if (text.length <= LENGTH_MAX && isAttribution(text)) return true;
  }
  return false;
}

function joined(lines: Line[]): string {
  return lines
    .map(({ text }) => text.trim())
    .join(" ")
    .replaceAll(DIRECTION_MARKS, "");
}

/** Above quoted lines: ends in a colon, and says who wrote or has an address and a time. */
export function isAttribution(text: string): boolean {
  if (/[:：]\*?$/.test(text) && (saysWrote(text) || (HAS_ADDRESS.test(text) && TIME.test(text)))) return true;
  // `2026/1/5 Ada <ada@example.com>`, of old Gmail.
  return /^\d{4}[/-]\d\d?[/-]\d\d?\s.{0,200}<[^<>\s]+@[^<>\s]+>$/.test(text) || isCertainAttribution(text);
}

/**
 * Above lines that are not quoted, where only its form says that they are: it has what programs write, and people leave out. "Ada wrote:"
 * alone may be a sentence.
 */
export function isCertainAttribution(text: string): boolean {
  // `---- On Monday, Ada wrote ----`
  if (/^-{2,}.{1,300}[^-\s]\s*-{2,}$/.test(text)) return saysWrote(text);
  const endsInColon = /[:：]\*?$/.test(text);
  const hasAddress = HAS_ADDRESS.test(text);
  if (!endsInColon && !(hasAddress && TIME.test(text) && endsInVerb(text))) return false;
  // `Ada <ada@example.com> wrote:`, with a date or not.
  if (saysWrote(text)) return hasAddress ? hasDate(text) || isSenderAndVerb(text) : hasDateAndTime(text);
  // `5.1.2026, 10:00, "Ada" <ada@example.com>:`
  return TIME.test(text) && hasDateAndTime(text) && /<\s?[^<>\s]+@[^\s]+>\s*[:：]\*?$/.test(text);
}

/** Of an attribution: others may be of a log or a list. */
export function hasVerbAndDate(lines: Line[]): boolean {
  const text = joined(lines);
  return saysWrote(text) && hasDate(text);
}

function saysWrote(text: string): boolean {
  const lower = text.toLowerCase();
  return WROTE.some((verb) => lower.includes(verb));
}

function endsInVerb(text: string): boolean {
  const lower = text.toLowerCase();
  return WROTE.some((verb) => lower.endsWith(verb));
}

const isSenderAndVerb = (text: string): boolean =>
  /^[^<>@\d]{2,80}<[^<>\s]+@[^<>\s]+>[^\d<>@]{1,30}[:：]\*?$/.test(text);

/** Numbers that aren't a part of an address. */
const numbersIn = (text: string): string[] => text.replaceAll(/\S*@\S*/g, "").match(/\d+/g) ?? [];

/** A day, month and year; a month in letters has the time beside it. */
const hasDate = (text: string): boolean => numbersIn(text).length >= 3;

/** The two numbers of a time, and two of a day, month or year. */
const hasDateAndTime = (text: string): boolean => TIME.test(text) && numbersIn(text).length >= 4;
