import type { Runtime } from "../context.ts";
import type { SendOutcome as AttemptOutcome, SendResult } from "../outbox/receiver.ts";
import type { Database } from "../storage/database.ts";
import { ACCOUNT_TIMES_STEP_MS } from "./channel-account.ts";
import { markAccountSent, type SendingAccount } from "./channel-account-store.ts";
import type { ChannelDriver, SendOutcome } from "./channel-driver.ts";
import { drivenAccount } from "./driven-account.ts";
import { noteExternalMessage } from "./external-message-store.ts";
import { type AttemptNotes, notesOf, type Reply, type SentPart } from "./replies.ts";
import { LONGEST_ASKED_MS, LONGEST_POSTPONED_MS, MAIL_RESENT_AFTER_MS, REPLY_TIMEOUT_MS } from "./reply-waits.ts";

interface OneReply {
  driver: ChannelDriver;
  account: SendingAccount;
  reply: Reply | undefined;
  runtime: Pick<Runtime, "now" | "steadyNow" | "vault">;
}

type AttemptEnd = AttemptOutcome & Pick<SendResult, "error">;

/**
 * One attempt of a reply: those of its parts that no earlier attempt has sent, one after the other.
 *
 * ```
 * part 1 --accepted--> part 2 --accepted--> … --accepted--> accepted
 *    '---------------------'--(refused, retry, unknown)---> the same; the parts after it wait, or are never sent
 *    '---------------------'--(the signal, before a part)-> aborted
 * ```
 * A retry begins with the part that was not sent.
 */
export async function sendReply(
  { driver, account, reply, runtime }: OneReply,
  signal: AbortSignal,
): Promise<SendResult> {
  const from = runtime.steadyNow();
  const sent: SentPart[] = [];
  let details: object | undefined;
  const end = await attempt();
  const notes: AttemptNotes = { sent, details };
  const isNoted = sent.length > 0 || details !== undefined;
  const answer = isNoted ? { status: null, head: null, body: null, result: JSON.stringify(notes) } : null;
  return { ...end, durationMs: Math.max(0, Math.round(runtime.steadyNow() - from)), answer };

  async function attempt(): Promise<AttemptEnd> {
    if (!reply) return { outcome: "refused", error: "no-message" };
    const { message, to } = reply;
    if (!to) return { outcome: "refused", error: "no-identity" };
    const driven = drivenAccount(account, runtime.vault);
    // As soon as the key is available again, they can be opened.
    if (!driven) return { outcome: "retry", error: "secrets" };
    const before = new Set(reply.sent.map(({ number }) => number));
    const timeout = AbortSignal.timeout(REPLY_TIMEOUT_MS);
    for (const part of driver.split(message, driver.limits(driven))) {
      if (before.has(part.number) && !driver.sendsTheRest) continue;
      if (signal.aborted) return { outcome: "aborted", error: "stopped" };
      if (timeout.aborted) return { outcome: "retry", error: "timeout" };
      const toSend = { ...part, messageId: reply.row.id };
      const outcome = await driver.send(driven, toSend, to, AbortSignal.any([signal, timeout]));
      details = outcome.details;
      if (outcome.outcome !== "accepted") {
        const resends = driver.isRepeatable && !reply.wasLost;
        return endOf(outcome, signal, resends ? MAIL_RESENT_AFTER_MS : undefined);
      }
      sent.push({ number: part.number, externalId: outcome.externalId });
    }
    return { outcome: "accepted", error: null };
  }
}

/**
 * Stores the provider's ids of the parts that an attempt has sent, when the account last sent one, and what the driver notes. The
 * message may be erased by now; an insert that fails would be repeated for ever, and the account would send nothing more.
 */
export async function noteSent(
  db: Database,
  { driver, account: { team_id, id: account_id }, reply, runtime }: OneReply,
  { answer }: SendResult,
): Promise<void> {
  const result = answer?.result;
  if (!reply || !result) return;
  const { sent, details } = notesOf(result);
  const key = { team_id, account_id, message_id: reply.row.id };
  const now = runtime.now();
  const accountSent = { team_id, id: account_id, last_sent_at: now, before: now - ACCOUNT_TIMES_STEP_MS };
  await Promise.all([
    ...sent.map(({ externalId }) => db.run(noteExternalMessage, { ...key, external_id: externalId, direction: "out" })),
    sent.length > 0 && db.run(markAccountSent, accountSent),
    details && driver.noteEnd?.(db, { team_id, message_id: reply.row.id, now }, details),
  ]);
}

function endOf(
  outcome: Exclude<SendOutcome, { outcome: "accepted" }>,
  signal: AbortSignal,
  resendAfterMs: number | undefined,
): AttemptEnd {
  switch (outcome.outcome) {
    case "refused":
      return { outcome: "refused", error: outcome.reason };
    case "unknown":
      return { outcome: "unknown", error: outcome.reason, resendAfterMs };
    case "postponed":
      return { outcome: "postponed", error: outcome.reason, afterMs: Math.min(outcome.after, LONGEST_POSTPONED_MS) };
    case "retry":
      // Certainly not sent, and not because of the provider's answer: it does not count as an attempt.
      if (signal.aborted) return { outcome: "aborted", error: "stopped" };
      return { outcome: "retry", error: outcome.reason, afterMs: Math.min(outcome.after ?? 0, LONGEST_ASKED_MS) };
    default:
      return outcome satisfies never;
  }
}
