import type { ParsedMail } from "./parsed-mail.ts";
import { FORWARD_PREFIXES, FORWARDED } from "./quote-words.ts";
import { startOfQuote } from "./start-of-quote.ts";
import { isQuoted, type Line, toLines } from "./text-lines.ts";
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

/**
 * What of a mail's text is new. Only an end of the text is folded, and only what is surely a quote: where something was written below
 * or between quotes, all of it is shown. First mails and forwards are never trimmed.
 */
export function trimQuotes(mail: ParsedMail, { isFirst }: { isFirst: boolean }): TrimmedText {
  const { text, from } = textOfMail(mail);
  const lines = toLines(text);
  const quote = isFirst ? null : startOfQuote(lines, text, from === "text" ? mail.textOfHtml : null, SHOWN_MAX);
  const cut = quote === null || isForward(mail.subject, lines, quote) ? text.length : quote;
  const withoutQuote = text.slice(0, cut).trimEnd();
  const withoutSignature = isFirst
    ? withoutQuote
    : withoutQuote.slice(0, startOfSignature(withoutQuote, from)).trimEnd();
  const rest = [withoutSignature, withoutQuote].find((each) => each.trim() !== "") ?? text.trimEnd();
  const shown = bounded(rest);
  return { shown, folded: text.slice(shown.length) };
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
