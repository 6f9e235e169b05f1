import { QUOTED, QUOTED_FROM_HERE } from "./html-to-plain.ts";
import type { ParsedMail } from "./parsed-mail.ts";
import { FORWARD_PREFIXES, FORWARDED, HEADER_NAMES, WROTE } from "./quote-words.ts";
import { textOfMail } from "./text-of-mail.ts";

/** Together they are the text of the mail, character by character. */
export interface TrimmedText {
  /** What is new; at most 10,000 characters. */
  shown: string;
  /** What was quoted, a signature, and what is beyond the 10,000. */
  folded: string;
}

/** As `content` of messages (decision 19). */
const SHOWN_MAX = 10_000;
/** Attribution lines are wrapped by some programs. */
const ATTRIBUTION_LINES_MAX = 4;
const ATTRIBUTION_MAX = 500;
/** In which the names of a header block are looked for: To and Cc may be long. */
const HEADER_BLOCK_LINES = 10;
/** Letters that must agree where a quote begins and ends, for the HTML to say where it begins in the text. */
const AGREEING_LETTERS = 20;

/**
 * What of a mail's text is new. Only an end of the text is folded, and only what is surely a quote: where something was written below
 * or between quotes, all of it is shown. First mails and forwards are never trimmed.
 */
export function trimQuotes(mail: ParsedMail, { isFirst }: { isFirst: boolean }): TrimmedText {
  const { text, from } = textOfMail(mail);
  const lines = toLines(text);
  const quote = isFirst ? null : startOfQuote(lines, text, from === "text" ? mail.textOfHtml : null);
  const cut = quote === null || isForward(mail.subject, lines, quote) ? text.length : quote;
  const withoutQuote = text.slice(0, cut).trimEnd();
  const withoutSignature = isFirst
    ? withoutQuote
    : withoutQuote.slice(0, startOfSignature(withoutQuote, from)).trimEnd();
  const rest = [withoutSignature, withoutQuote].find((each) => each.trim() !== "") ?? text.trimEnd();
  const shown = bounded(rest);
  return { shown, folded: text.slice(shown.length) };
}

interface Line {
  text: string;
  start: number;
}

function toLines(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const each = { text: line, start };
    start += line.length + 1;
    return each;
  });
}

function startOfQuote(lines: Line[], text: string, textOfHtml: string | null): number | null {
  const line = startOfContainers(lines) ?? startBelowAttribution(lines) ?? startOfHeaderBlock(lines);
  const start = line === null ? null : (lines[line]?.start ?? null);
  return start ?? (textOfHtml === null ? null : startByHtml(text, textOfHtml));
}

const isBlank = ({ text }: Line) => text.trim() === "";
const isQuoted = ({ text }: Line) => text.startsWith(">");

/** (a) Known containers in HTML, marked by `htmlToPlain`: the last lines are theirs, but for empty ones. */
function startOfContainers(lines: Line[]): number | null {
  const fromHere = lines.findIndex(({ text }) => text.trimEnd() === QUOTED_FROM_HERE.trimEnd() && text !== ">");
  const end = fromHere === -1 ? lines.length : fromHere;
  let start = fromHere === -1 ? null : fromHere;
  for (let at = end - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    if (line.text.startsWith(QUOTED)) start = at;
    else if (!isBlank(line)) break;
  }
  if (start === null) return null;
  // An attribution that stands outside of its container.
  return startOfAttribution(lines, start) ?? start;
}

/** (b) An attribution line with only quoted lines after it. */
function startBelowAttribution(lines: Line[]): number | null {
  let start: number | null = null;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    if (isQuoted(line)) start = at;
    else if (!isBlank(line)) break;
  }
  return start === null ? null : startOfAttribution(lines, start);
}

/** The first line of the attribution that ends above `below`; null without one. */
function startOfAttribution(lines: Line[], below: number): number | null {
  let last = below - 1;
  while (last >= 0 && isBlank(lines[last] as Line)) last--;
  for (let first = last; first >= 0 && first > last - ATTRIBUTION_LINES_MAX; first--) {
    const line = lines[first] as Line;
    if (isBlank(line) || isQuoted(line)) return null;
    const joined = lines.slice(first, last + 1).map(({ text }) => text.trim());
    if (isAttribution(joined.join(" ")) && isWholeAttribution(lines, first, last)) return first;
  }
  return null;
}

/** Ends in a colon, and says who wrote or has an address and a time. */
function isAttribution(text: string): boolean {
  if (text.length > ATTRIBUTION_MAX || !/[:：]\*?$/.test(text)) return false;
  const lower = text.toLowerCase();
  return WROTE.some((verb) => lower.includes(verb)) || (/[^\s<>@]@[^\s<>@]/.test(text) && /\d[:.]\d\d/.test(text));
}

/**
 * A wrapped attribution is taken as a whole: up to the empty line above it, if it is short and has its date there. A sentence of the
 * sender right above an attribution stays.
 */
function isWholeAttribution(lines: Line[], first: number, last: number): boolean {
  const joined = lines.slice(first, last + 1).map(({ text }) => text);
  const above = lines[first - 1];
  // A date begins most attributions; without it, more lines are tried while they belong to the same paragraph.
  return (
    /\d/.test(joined.join(" ")) || above === undefined || isBlank(above) || first === last - ATTRIBUTION_LINES_MAX + 1
  );
}

/** (c) Lines From, Sent, To, Subject, and all below them. */
function startOfHeaderBlock(lines: Line[]): number | null {
  for (let at = 0; at < lines.length; at++) {
    if (!isHeaderBlock(lines, at)) continue;
    // Quoted lines below it, and then others: something was written below.
    const after = lines.slice(at + 1).filter((line) => !isBlank(line));
    const firstQuoted = after.findIndex(isQuoted);
    if (
      firstQuoted !== -1 &&
      firstQuoted < HEADER_BLOCK_LINES &&
      after.slice(firstQuoted).some((line) => !isQuoted(line))
    ) {
      return null;
    }
    return aboveSeparator(lines, at);
  }
  return null;
}

function isHeaderBlock(lines: Line[], at: number): boolean {
  const first = headerName(lines[at] as Line);
  if (first === null) return false;
  const candidates = HEADER_NAMES.filter(([from]) => from.split("|").includes(first));
  if (candidates.length === 0) return false;
  const names = lines.slice(at + 1, at + HEADER_BLOCK_LINES).map(headerName);
  return candidates.some((candidate) =>
    candidate.slice(1).every((field) => field.split("|").some((name) => names.includes(name))),
  );
}

/** `*Von:* Ada` → `von`. */
function headerName({ text }: Line): string | null {
  const line = text.slice(0, 60).trim().replace(/^\*/, "");
  const colon = line.search(/[:：]/);
  return colon < 1 ? null : line.slice(0, colon).trim().replace(/\*$/, "").trim().toLowerCase();
}

/** `-----Original Message-----`, `________________`, and empty lines. */
function aboveSeparator(lines: Line[], at: number): number {
  let start = at;
  for (let above = at - 1; above >= 0; above--) {
    const text = (lines[above] as Line).text.trim();
    if (text === "") continue;
    if (text === QUOTED_FROM_HERE.trim() || /^[-_–—]{2,}[^-_]{0,60}[-_–—]{2,}$/.test(text) || /^[-_–—]{5,}$/.test(text))
      start = above;
    else break;
  }
  return start;
}

/**
 * The HTML has a container at its end and the text beside it has none that we know, as with a program in another language: where the
 * letters before and after agree, the quote begins there in the text too.
 */
function startByHtml(text: string, textOfHtml: string): number | null {
  const lines = toLines(textOfHtml);
  const line = startOfContainers(lines);
  if (line === null) return null;
  const start = lines[line]?.start ?? 0;
  const before = lettersOf(textOfHtml.slice(0, start));
  const quoted = lettersOf(textOfHtml.slice(start));
  const whole = lettersOf(text);
  const rest = whole.slice(before.length);
  if (before === "" || quoted.length < AGREEING_LETTERS || !whole.startsWith(before)) return null;
  if (rest.slice(0, AGREEING_LETTERS) !== quoted.slice(0, AGREEING_LETTERS)) return null;
  if (rest.slice(-AGREEING_LETTERS) !== quoted.slice(-AGREEING_LETTERS)) return null;
  return startOfLineAfterLetters(text, before.length);
}

const LETTERS = /[\p{L}\p{N}]/gu;

const lettersOf = (text: string) => text.match(LETTERS)?.join("") ?? "";

function startOfLineAfterLetters(text: string, units: number): number | null {
  let counted = 0;
  for (const { 0: letter, index } of text.matchAll(LETTERS)) {
    if (counted < units) {
      counted += letter.length;
      continue;
    }
    const start = text.lastIndexOf("\n", index) + 1;
    // In the middle of a line: not a quote that begins with one.
    return lettersOf(text.slice(start, index)) === "" ? start : null;
  }
  return null;
}

function isForward(subject: string, lines: Line[], cut: number): boolean {
  const prefix = /^\s*([^:：]{1,20})[:：]/.exec(subject)?.[1]?.trim().toLowerCase();
  if (prefix !== undefined && FORWARD_PREFIXES.includes(prefix)) return true;
  const near = lines.findIndex(({ start }) => start >= cut) + 2;
  return lines.slice(0, near).some(({ text }) => text.length < 120 && !/^>\s?>/.test(text) && saysForwarded(text));
}

function saysForwarded(text: string): boolean {
  const line = text.trim().toLowerCase();
  return (/^[>\s]*[-–—]{2,}/.test(line) || line.endsWith(":")) && FORWARDED.some((words) => line.includes(words));
}

/** Only after `-- ` alone in a line; HTML loses the space. Below it nothing is quoted: that would be more than a signature. */
function startOfSignature(text: string, from: "text" | "html" | "nothing"): number {
  const lines = toLines(text);
  const at = lines.findLastIndex((line) => line.text === "-- " || (from === "html" && line.text === "--"));
  if (at === -1 || lines.slice(at).some(isQuoted)) return text.length;
  return (lines[at] as Line).start;
}

/** A character is a code point. Cut at a line where there is one. */
function bounded(text: string): string {
  if (text.length <= SHOWN_MAX) return text;
  const characters = [...text.slice(0, 2 * SHOWN_MAX)];
  if (characters.length <= SHOWN_MAX && text.length <= 2 * SHOWN_MAX) return text;
  const cut = characters.slice(0, SHOWN_MAX).join("");
  const line = cut.lastIndexOf("\n");
  const whole = line > 0 ? cut.slice(0, line).trimEnd() : "";
  return whole.trim() === "" ? cut : whole;
}
