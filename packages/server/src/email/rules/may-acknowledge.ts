import type { IncomingMail } from "../in/incoming-mail.ts";
import { isOwnAddress } from "./mail-address.ts";

const DAY_MS = 86_400_000;

/** What else decides whether a mail is acknowledged. */
export interface AcknowledgeFacts {
  /** It begins a conversation; an answer is never acknowledged. */
  isFirst: boolean;
  /** An agent has forwarded it to the mailbox: its writer has not written to us. */
  isForwarded: boolean;
  /** How many other mails of its sender this mailbox has had in 24 hours. */
  mailsOfDay: number;
  /** Of all mailboxes of the team. */
  ownAddresses: readonly string[];
  now: number;
}

/**
 * Whether the sender of a mail gets an automatic reply. Each of these alone ends a loop of two programs that answer each other:
 *
 * - never to what a program has written (`automatic-mail.ts`), to a list, or to an address that no one reads
 * - only to the first mail of a sender in 24 hours, and never to an answer
 * - never to an own address
 *
 * Its sender is who the mailbox's own server has found it to be from (DMARC passes): forged senders would have us send mails to
 * strangers. Held mails and spam do not come here.
 */
export function mayAcknowledge(
  mail: Pick<IncomingMail, "sender" | "automatic" | "isTrusted" | "dmarcPassed" | "sentAt">,
  { isFirst, isForwarded, mailsOfDay, ownAddresses, now }: AcknowledgeFacts,
): boolean {
  if (!isFirst || isForwarded || mailsOfDay > 0) return false;
  if (mail.automatic !== undefined || !mail.isTrusted || !mail.dmarcPassed) return false;
  // After an outage it would come too late to be of use.
  if (mail.sentAt !== null && mail.sentAt < now - DAY_MS) return false;
  return mail.sender !== null && !isUnread(mail.sender.address) && !isOwnAddress(mail.sender.address, ownAddresses);
}

/** What programs write from, where no header says that they do. */
const isUnread = (address: string): boolean =>
  /^(?:no-?_?reply|do-?_?not-?_?reply|mailer-?daemon|postmaster|bounces?|notifications?|alerts?)(?:[+.@=_-]|$)/i.test(
    address,
  );
