import { CONTENT_MAX } from "@frontdesk/core/contract";
import type { IncomingMail } from "./incoming-mail.ts";

/** What is kept of the rest of a text; the original has all of it. */
const FOLDED_MAX = 200_000;

/**
 * The text of a message, and what is folded away: of an answer, what it quotes; and what is longer than a message may be, cut at the
 * end of a line. A mail without text and files says so.
 */
export function messageText(
  { text, trimmed, subject }: Pick<IncomingMail, "text" | "trimmed" | "subject">,
  { isAnswer, files }: { isAnswer: boolean; files: number },
): { content: string; folded: string | null } {
  const [shown, quoted] = isAnswer ? [trimmed.shown, trimmed.folded] : [text, ""];
  const whole = clean(shown).trim();
  if (whole === "") return { content: files > 0 ? "" : subject.trim() || EMPTY, folded: foldedOf(quoted) };
  if (whole.length <= CONTENT_MAX) return { content: whole, folded: foldedOf(quoted) };
  const content = whole.slice(0, cutAt(whole)).trimEnd();
  return { content, folded: foldedOf(whole.slice(cutAt(whole)) + quoted) };
}

function foldedOf(rest: string): string | null {
  const text = clean(rest.replace(/^\n/, "").slice(0, FOLDED_MAX));
  return text.trim() === "" ? null : text;
}

const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

const EMPTY = "This email has no text.";

/** The last end of a line in the second half, else of a character. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n", CONTENT_MAX);
  if (line > CONTENT_MAX / 2) return line;
  const isPair = /[\ud800-\udbff]/.test(text[CONTENT_MAX - 1] ?? "");
  return isPair ? CONTENT_MAX - 1 : CONTENT_MAX;
}
