import { CONTENT_MAX } from "@frontdesk/core/contract";
import type { IncomingMail } from "./incoming-mail.ts";

/** What is kept of the rest of a text; the original has all of it. */
const FOLDED_MAX = 200_000;

/**
 * The text of a message, and what is folded away: what is longer than a message may be is cut at the end of a line. A mail without
 * text and files says so.
 */
export function messageText(
  { text, subject }: Pick<IncomingMail, "text" | "subject">,
  files: number,
): { content: string; folded: string | null } {
  const whole = text.replaceAll("\0", "").toWellFormed();
  if (whole === "") return { content: files > 0 ? "" : subject.trim() || EMPTY, folded: null };
  if (whole.length <= CONTENT_MAX) return { content: whole, folded: null };
  const content = whole.slice(0, cutAt(whole)).trimEnd();
  const rest = whole.slice(cutAt(whole)).replace(/^\n/, "");
  return { content, folded: rest.slice(0, FOLDED_MAX).toWellFormed() };
}

const EMPTY = "This email has no text.";

/** The last end of a line in the second half, else of a character. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n", CONTENT_MAX);
  if (line > CONTENT_MAX / 2) return line;
  const isPair = /[\ud800-\udbff]/.test(text[CONTENT_MAX - 1] ?? "");
  return isPair ? CONTENT_MAX - 1 : CONTENT_MAX;
}
