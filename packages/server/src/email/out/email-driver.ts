import { CONTENT_MAX } from "@frontdesk/core/contract";
import type { ChannelActor } from "../../access/actor.ts";
import type { ChannelDriver, DrivenAccount, PostponedDetails, SendOutcome } from "../../channels/channel-driver.ts";
import { noteAccountState } from "../../channels/note-account-state.ts";
import { storedReason } from "../../channels/stored-reason.ts";
import { tryAccountAgain } from "../../channels/try-again.ts";
import type { VettedSockets } from "../../outbound/vetted-socket.ts";
import { StorageUnavailable } from "../../storage/database.ts";
import { type EmailSettings, readEmailSettings } from "../email-settings.ts";
import type { MailboxTokens } from "../oauth/mailbox-tokens.ts";
import { relayMessageId } from "../rules/relay-message-id.ts";
import { giveMail, mailServerOf } from "./give-mail.ts";
import { type MailAttempt, mailAttempt, type RecipientState } from "./mail-attempt.ts";
import { type MailToSend, mailToSend } from "./mail-to-send.ts";
import { mailsSentOfDay } from "./mailbox-use.ts";
import { changeMailRecipient } from "./outgoing-mail-store.ts";
import { type RawMailParts, rawMail } from "./raw-mail.ts";
import { MAIL_FILES_MAX_BYTES } from "./reply-by-mail.ts";
import { createSendingPace } from "./sending-pace.ts";

export interface EmailDriverParts extends RawMailParts {
  sockets: VettedSockets;
  /** SMTP_URL, for accounts without a server of their own. */
  smtpUrl: string | undefined;
  now(): number;
  steadyNow(): number;
  check: ChannelDriver["check"];
  tokens: MailboxTokens;
}

/** What an attempt has shown of the recipients of a mail. */
interface MailDetails {
  recipients: RecipientState[];
}

/** The shortest time between two tries of a failing account because a mail has left. */
const TRY_AGAIN_MS = 60_000;
/** How long a mail waits while nothing can be read from our own storage. */
const STORAGE_WAIT_MS = 60_000;

/**
 * Sends replies by mail: a message is one mail, whatever its length, and its recipients were chosen when it was written
 * (`reply-by-mail.ts`).
 *
 * ```
 * pace --(too many a minute or a day, or the server's quota)--> postponed
 *   '--> mail and recipients that wait --(none)--> accepted
 *          '--> its bytes --> SMTP --> what the answers mean (mail-attempt.ts) --> recipients' states with the end of the attempt
 * ```
 */
export function createEmailDriver(parts: EmailDriverParts): ChannelDriver {
  const pace = createSendingPace(parts.steadyNow);
  /** When failing accounts were tried again. */
  const triedAgain = new Map<string, number>();
  return {
    channel: "email",
    identityKinds: ["email"],
    isRepeatable: true,
    sendsTheRest: true,
    limits: () => ({
      text: { max: CONTENT_MAX, unit: "characters" },
      media: { "*/*": { maxBytes: MAIL_FILES_MAX_BYTES } },
      windowMs: null,
      can: { quote: false, react: false, edit: false, read: false, typing: false, templates: false },
    }),
    split: (message) => [{ ...message, number: 1 }],
    send: (account, { messageId }, _to, signal) => send(account, messageId, signal),
    async noteEnd(db, { team_id, message_id, now }, details) {
      const { recipients } = details as MailDetails;
      for (const { address, state, reason } of recipients) {
        const { sentence, named } = storedReason(reason);
        const changed = { state, reason: sentence, reason_named: named, changed_at: now };
        await db.run(changeMailRecipient, { team_id, message_id, address, ...changed });
      }
    },
    describe: async () => undefined,
    check: parts.check,
  };

  async function send(account: DrivenAccount, messageId: string, signal: AbortSignal): Promise<SendOutcome> {
    const settings = readEmailSettings(account.settings);
    const access = mailServerOf(settings, account.secrets.outbound_password, parts.smtpUrl);
    if (!access) return { outcome: "refused", reason: "no-server" };
    const actor: ChannelActor = { kind: "channel", teamId: account.team_id, accountId: account.id };
    const prepared = await prepare(actor, settings, messageId).catch((error: unknown): SendOutcome => {
      if (error instanceof StorageUnavailable)
        return { outcome: "postponed", reason: "storage", after: STORAGE_WAIT_MS };
      parts.onTrouble(error);
      return { outcome: "retry", reason: "internal" };
    });
    if ("outcome" in prepared) return prepared;
    const { asked, raw, to } = prepared;
    const mail = { from: settings.address, to, raw };
    const result = await giveMail(parts, { account, access, mail }, signal);
    const { isSentToOthers } = asked;
    const replaced = result.outcome === "answered" ? relayMessageId(access.host, result.response) : undefined;
    const attempt = mailAttempt(result, to, { messageId: replaced ?? String(asked.mail.header_id), isSentToOthers });
    if (attempt.pauseMs > 0) pace.pause(account.id, attempt.pauseMs);
    // Not awaited: an account that is switched off waits for what it sends, and so for this.
    noteState(actor, asked.accountState, attempt).catch(parts.onTrouble);
    const details: MailDetails = { recipients: attempt.recipients };
    const { outcome } = attempt;
    // Old mails of an account in trouble are tried less and less often: each try is a row of the log.
    const aged = outcome.outcome === "postponed" &&
      attempt.trouble && { after: waitOf(outcome.after, asked.mail.sent_at) };
    return { ...outcome, ...aged, details: attempt.recipients.length > 0 ? details : undefined };
  }

  function waitOf(least: number, sentAt: number): number {
    return Math.max(least, Math.round((parts.now() - sentAt) / 2));
  }

  /** What is to be sent now, or why nothing is. */
  async function prepare(
    actor: ChannelActor,
    settings: EmailSettings,
    messageId: string,
  ): Promise<SendOutcome | { asked: MailToSend; to: readonly [string, ...string[]]; raw: Uint8Array }> {
    const asked = await parts.perform()(actor, mailToSend, { messageId });
    if (!asked) return { outcome: "refused", reason: "no-message" };
    const [first, ...others] = asked.waiting;
    if (first === undefined) return { outcome: "accepted", externalId: String(asked.mail.header_id) };
    if (pace.mustKnow(actor.accountId)) pace.know(actor.accountId, await sentTimes(actor, settings.dailyLimit));
    const turn = pace.take(actor.accountId, { minute: settings.pace, day: settings.dailyLimit }, messageId);
    if ("because" in turn) {
      const details: MailDetails & PostponedDetails = { recipients: [], dueAt: parts.now() + turn.waits };
      return { outcome: "postponed", reason: turn.because, after: turn.waits, details };
    }
    const raw = await rawMail(parts, actor, asked);
    return raw ? { asked, to: [first, ...others], raw } : { outcome: "refused", reason: "no-message" };
  }

  /** When the account has sent mails in the last 24 hours, by the steady clock. */
  async function sentTimes(actor: ChannelActor, limit: number): Promise<number[]> {
    const times = await parts.perform()(actor, mailsSentOfDay, { limit });
    return times.map((time) => parts.steadyNow() - (parts.now() - time));
  }

  function isTimeToTry(accountId: string): boolean {
    const now = parts.steadyNow();
    if (now < (triedAgain.get(accountId) ?? Number.NEGATIVE_INFINITY) + TRY_AGAIN_MS) return false;
    triedAgain.set(accountId, now);
    return true;
  }

  /** Sending has shown that the account works, or does not. */
  async function noteState({ teamId, accountId }: ChannelActor, state: string, { outcome, trouble }: MailAttempt) {
    const system = { kind: "system", teamId } as const;
    if (trouble) await parts.perform()(system, noteAccountState, { accountId, ...trouble });
    // Whether receiving works too is another question: the account is tried as a whole.
    else if (state === "failing" && outcome.outcome === "accepted" && isTimeToTry(accountId)) {
      await parts.perform()(system, tryAccountAgain, { accountId });
    }
  }
}
