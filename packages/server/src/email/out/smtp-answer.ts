import { channelReason } from "@frontdesk/core/domain/channel-reason";

/** What an answer of a mail server means for a mail (RFC 5321 4.2, RFC 3463). */

const MINUTE_MS = 60_000;
/** How long an account sends nothing after an answer that says it has sent too much. */
const QUOTA_PAUSE_MS = 60 * MINUTE_MS;
const RATE_PAUSE_MS = 10 * MINUTE_MS;
/** Longest reason that is kept. */
const REASON_MAX = 500;

export type AnswerMeaning =
  | { means: "refused" }
  | { means: "later" }
  /** The account has sent too much: nothing of it is sent for a while. */
  | { means: "pause"; ms: number };

/** @param response the answer with its code, several lines as one text; of an answer that has none, it is tried later */
export function meaningOf(response: string): AnswerMeaning {
  const code = Number(/^\d{3}/.exec(response)?.[0]);
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] ?? "";
  if (status.endsWith(".4.5") && code >= 500) return { means: "pause", ms: QUOTA_PAUSE_MS };
  if (status.startsWith("4.7.")) return { means: "pause", ms: RATE_PAUSE_MS };
  return { means: code >= 500 && code < 600 ? "refused" : "later" };
}

/** The server's words as a reason. */
export const serverSays = (response: string) => channelReason("smtp.says", { words: readableAnswer(response) });

/** The server's words for people: one line without control characters, bounded. */
export function readableAnswer(response: string): string {
  const line = response
    .slice(0, 10 * REASON_MAX)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  const cut = line.slice(0, REASON_MAX);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
