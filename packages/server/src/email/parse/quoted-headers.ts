import { HEADER_LABELS, type HeaderKind, ORIGINAL } from "./quote-words.ts";
import { isBlank, isQuoted, type Line } from "./text-lines.ts";

/** In which the headers of a block are looked for: To and Cc may be long. */
const BLOCK_LINES = 10;

/**
 * The first line of a quote that begins with the headers of the quoted mail, as Outlook writes it, or with a line that says that the
 * original follows, among the first `count` lines: all that is below it is quoted. Null without one.
 */
export function startOfQuotedHeaders(lines: Line[], count: number): number | null {
  for (let at = 0; at < count; at++) {
    if (isOriginalFollows(lines[at] as Line)) return aboveSeparators(lines, at);
    if (isHeaderBlock(lines, at)) return hasAnswersBelow(lines, at) ? null : aboveSeparators(lines, at);
  }
  return null;
}

/** `-----Original Message-----` */
function isOriginalFollows({ text }: Line): boolean {
  const words = /^\*?[-–—]{2,}\s*([^-–—].{2,40}?)\s*[-–—]{2,}\*?$/.exec(text.slice(0, 100).trim())?.[1];
  return words !== undefined && ORIGINAL.includes(words.toLowerCase().replaceAll("’", "'"));
}

interface Header {
  kinds: readonly HeaderKind[];
  value: string;
}

/**
 * From, Date, To and Subject. People write such lines too ("From: Berlin, To: Hamburg"), so one that is missing is made up for by a
 * separator above them, or by an address in From where Date and To are there.
 */
export function isHeaderBlock(lines: Line[], at: number): boolean {
  if (headerOf(lines[at]) === null) return false;
  const block = lines.slice(at, at + BLOCK_LINES).filter((line) => !isBlank(line));
  const headers = block.map(headerOf);
  const from = headers.findIndex((header) => header?.kinds.includes("from"));
  // What stands above From is a header too.
  if (from === -1 || headers.slice(0, from).includes(null)) return false;
  const known = headers.filter((header) => header !== null);
  const has = (kind: HeaderKind) => known.some(({ kinds }, index) => index !== from && kinds.includes(kind));
  const others = (["date", "to", "subject"] as const).filter((kind) => has(kind)).length;
  const isWithoutSubject = !has("subject") && (headers[from] as Header).value.includes("@");
  return others === 3 || (others === 2 && (isWithoutSubject || aboveSeparators(lines, at) < at));
}

/** `*Von:* Ada` is a From; null for a line that is no header of a mail. */
function headerOf(line: Line | undefined): Header | null {
  const text = (line?.text ?? "")
    .slice(0, 300)
    .trim()
    .replace(/^[*_]+/, "");
  const colon = text.slice(0, 60).search(/[:：]/);
  if (colon < 1) return null;
  const label = text
    .slice(0, colon)
    .replace(/[*_]+$/, "")
    .trim()
    .toLowerCase();
  const kinds = HEADER_LABELS.get(label);
  return kinds === undefined ? null : { kinds, value: text.slice(colon + 1) };
}

/** Quoted lines below the headers, and then others: something was written below. */
function hasAnswersBelow(lines: Line[], at: number): boolean {
  const after = lines.slice(at + 1).filter((line) => !isBlank(line));
  const firstQuoted = after.findIndex(isQuoted);
  return firstQuoted !== -1 && firstQuoted < BLOCK_LINES && after.slice(firstQuoted).some((line) => !isQuoted(line));
}

/** `-----Original Message-----`, `________________`, and empty lines. */
function aboveSeparators(lines: Line[], at: number): number {
  let start = at;
  for (let above = at - 1; above >= 0; above--) {
    const text = (lines[above] as Line).text.trim();
    if (text === "") continue;
    if (/^\*?[-_–—]{2,}[^-_]{0,60}[-_–—]{2,}\*?$/.test(text) || /^[-_–—=]{4,}$/.test(text)) start = above;
    else break;
  }
  return start;
}
