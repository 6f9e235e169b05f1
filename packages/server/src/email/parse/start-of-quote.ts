import {
  beginsWithAttribution,
  hasVerbAndDate,
  isAttribution,
  isCertainAttribution,
  startOfAttribution,
  wordsBeforeAttribution,
} from "./attribution.ts";
import { QUOTED, QUOTED_FROM_HERE } from "./html-to-plain.ts";
import { isHeaderBlock, startOfQuotedHeaders } from "./quoted-headers.ts";
import { startByHtml } from "./start-by-html.ts";
import { isBlank, isQuoted, type Line, toLines } from "./text-lines.ts";

/** A signature, or the footer of a mailing list, is not longer. */
const BELOW_QUOTE_LINES = 10;

/**
 * Where the quote begins with which a text ends; null without one. Only what is surely a quote, in one of four forms; of several, the
 * topmost: a quote holds others.
 *
 * @param lines of the text
 * @param textOfHtml where the mail has HTML beside the text
 * @param shownMax no quote is looked for far beyond it: that is folded anyway
 */
export function startOfQuote(lines: Line[], text: string, textOfHtml: string | null, shownMax: number): number | null {
  const near = lines.filter(({ start }) => start <= 2 * shownMax).length;
  const inHtml = textOfHtml === null ? [] : toLines(textOfHtml);
  const marked = [startOfContainers(lines), startOfQuotedLines(lines)];
  const unmarked = hasWordsBelowQuote(inHtml) ? null : startByAttribution(lines, near);
  const found = topmost([...marked, startOfQuotedHeaders(lines, near), unmarked]);
  if (found !== null) {
    // What begins with a quote has its new text below that; only marks say where the next quote is.
    const isAllQuoted = lines.slice(0, found).every(isBlank);
    const line = (isAllQuoted ? topmost(marked) : null) ?? found;
    return (lines[line] as Line).start + wordsBeforeAttribution(lines, line);
  }
  const startInHtml = startOfContainers(inHtml);
  return startInHtml === null ? null : startByHtml(text, textOfHtml as string, startInHtml);
}

function topmost(starts: readonly (number | null)[]): number | null {
  const found = starts.filter((start) => start !== null);
  return found.length === 0 ? null : Math.min(...found);
}

/** (a) Known containers in HTML, marked by `htmlToPlain`: the last lines are theirs, but for empty ones. */
function startOfContainers(lines: Line[]): number | null {
  // Exactly: a typed quote has lines of `> ` too.
  const fromHere = lines.findIndex(({ text }) => text === QUOTED_FROM_HERE);
  const end = fromHere === -1 ? endOfQuotes(lines) : fromHere;
  let start = fromHere === -1 ? null : fromHere;
  for (let at = end - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    if (line.text.startsWith(QUOTED)) start = at;
    else if (!isBlank(line)) break;
  }
  if (start === null) return null;
  // An attribution that stands outside of its container.
  return startOfAttribution(lines, start, isAttribution) ?? start;
}

/** (b) Only quoted lines to the end, with an attribution above them or as the first of them. */
function startOfQuotedLines(lines: Line[]): number | null {
  const end = endOfQuotes(lines);
  let start: number | null = null;
  for (let at = end - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    if (isQuoted(line)) start = at;
    else if (!isBlank(line)) break;
  }
  if (start === null) return null;
  const above = startOfAttribution(lines, start, isAttribution);
  if (above !== null) return above;
  const quoted = lines
    .slice(start, start + BELOW_QUOTE_LINES)
    .map((line) => ({ ...line, text: line.text.replace(/^>+ ?/, "") }))
    .filter((line) => !isBlank(line));
  return beginsWithAttribution(quoted) || isHeaderBlock(quoted, 0) ? start : null;
}

/** Where the lines below the quoted ones begin, if they are only a signature under its mark or the footer of a mailing list. */
function endOfQuotes(lines: Line[]): number {
  const last = lines.findLastIndex(isQuoted);
  const below = lines.slice(last + 1).filter((line) => !isBlank(line));
  const [first, second] = below;
  if (last === -1 || first === undefined || below.length > BELOW_QUOTE_LINES) return lines.length;
  const isSignature = /^-- ?$/.test(first.text);
  const isFooter = /^_{2,}$/.test(first.text.trim()) && /mailing list/i.test(second?.text ?? "");
  return isSignature || isFooter ? last + 1 : lines.length;
}

/** The HTML says where a quote ends that has no marks in the text. */
const hasWordsBelowQuote = (inHtml: Line[]): boolean =>
  inHtml.some(({ text }) => text.startsWith(QUOTED)) && startOfContainers(inHtml) === null;

/** (c) is `startOfQuotedHeaders`. (d) An attribution whose quote has no marks: all that is below it. Where it has some, (b) decides. */
function startByAttribution(lines: Line[], count: number): number | null {
  for (let at = 0; at < count; at++) {
    const { text } = lines[at] as Line;
    if (!/[:：]\*?[\s\u200e\u200f]*$|-{2,}\s*$|\p{L}$/u.test(text) || text.startsWith(">")) continue;
    const start = startOfAttribution(lines, at + 1, isCertainAttribution);
    if (start === null) continue;
    // The answer is below.
    if (isGreetingAlone(lines.slice(0, start))) return null;
    if (!hasVerbAndDate(lines.slice(start, at + 1)) && !isParagraph(lines, start, at)) continue;
    const next = lines.slice(at + 1, at + 1 + BELOW_QUOTE_LINES).find((line) => !isBlank(line));
    if (next === undefined || !isQuoted(next)) return start;
  }
  return null;
}

const isParagraph = (lines: Line[], first: number, last: number): boolean =>
  [lines[first - 1], lines[last + 1]].every((line) => line !== undefined && isBlank(line));

/** `Hello Ada,` */
function isGreetingAlone(lines: Line[]): boolean {
  const [first, second] = lines.filter((line) => !isBlank(line));
  return first !== undefined && second === undefined && /[,，،]\s*$/.test(first.text);
}
