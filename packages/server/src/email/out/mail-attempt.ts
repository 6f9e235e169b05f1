import type { SendOutcome } from "../../channels/channel-driver.ts";
import type { RecipientResult, SendingReason, SmtpResult } from "./smtp-send.ts";

/** What is stored of a recipient; states only rise (`waiting` to `sent` or `failed`). */
export interface RecipientState {
  address: string;
  state: "waiting" | "sent" | "failed" | "unknown";
  /** Null when nothing is wrong. */
  reason: SendingReason | null;
}

export interface MailAttempt {
  /** What it is for the outbox. */
  outcome: SendOutcome;
  /** Those that the session has said something about. */
  recipients: RecipientState[];
  /** The account's trouble, for its state; null when it works, or nothing is known. */
  trouble: { state: "needs-sign-in" | "failing"; reason: SendingReason } | null;
  /** How long the account sends nothing, ms. */
  pauseMs: number;
}

/** Another try of a process that stops is due at once: the outbox ends the attempt as aborted, by its signal. */
const AT_ONCE = { outcome: "retry", reason: "stopped" } as const;

/**
 * What a session means for a mail that was tried for its recipients that still wait.
 *
 * ```
 * all sent ------------------------> accepted
 * some are to be tried later ------> retry: the next attempt is for these alone
 * the others refused, some sent ---> accepted: the mail is on its way, and each recipient has a state
 * all refused ---------------------> refused
 * ```
 */
export function mailAttempt(
  result: SmtpResult,
  tried: readonly string[],
  mail: { messageId: string; isSentToOthers: boolean },
): MailAttempt {
  const nothing = { recipients: [], trouble: null, pauseMs: 0 };
  const all = (state: RecipientState["state"], reason: SendingReason) =>
    tried.map((address) => ({ address, state, reason }) satisfies RecipientState);
  switch (result.outcome) {
    case "answered": {
      const outcome = outcomeOf(result.recipients, mail);
      return { ...nothing, outcome, recipients: result.recipients.map(stateOf) };
    }
    case "retry":
      return { ...nothing, outcome: { outcome: "retry", reason: "server" }, recipients: all("waiting", result.reason) };
    case "trouble": {
      const { state, reason, afterMs } = result;
      const outcome = { outcome: "postponed", reason: state, after: afterMs } as const;
      return { ...nothing, outcome, recipients: all("waiting", reason), trouble: { state, reason } };
    }
    case "pause": {
      const outcome = { outcome: "postponed", reason: "quota", after: result.afterMs } as const;
      return { ...nothing, outcome, recipients: all("waiting", result.reason), pauseMs: result.afterMs };
    }
    case "unknown":
      return { ...nothing, outcome: { outcome: "unknown", reason: "lost" }, recipients: all("unknown", result.reason) };
    case "aborted":
      return { ...nothing, outcome: AT_ONCE };
    default:
      return result satisfies never;
  }
}

function outcomeOf(
  recipients: readonly RecipientResult[],
  { messageId, isSentToOthers }: { messageId: string; isSentToOthers: boolean },
): SendOutcome {
  if (recipients.some(({ state }) => state === "later")) return { outcome: "retry", reason: "later" };
  if (isSentToOthers || recipients.some(({ state }) => state === "sent"))
    return { outcome: "accepted", externalId: messageId };
  return { outcome: "refused", reason: "refused" };
}

function stateOf(result: RecipientResult): RecipientState {
  switch (result.state) {
    case "sent":
      return { address: result.address, state: "sent", reason: null };
    case "refused":
      return { address: result.address, state: "failed", reason: result.reason };
    case "later":
      return { address: result.address, state: "waiting", reason: result.reason };
    default:
      return result satisfies never;
  }
}
