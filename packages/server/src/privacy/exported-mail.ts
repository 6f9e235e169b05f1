import type { ExportedMessage } from "@frontdesk/core/contract/contact-export";
import type { MessageDelivery } from "../channels/message-delivery.ts";
import type { MailAddress } from "../email/parse/parsed-mail.ts";
import { foldAddress } from "../email/rules/mail-address.ts";
import type { MailRow } from "../storage/tables.ts";

/** Whose mails a conversation has. */
export interface MailPeople {
  contactName: string | null;
  /** The folded addresses of the contact. */
  addresses: ReadonlySet<string>;
  /** The contact is known by a mail that names no sender. */
  isNameless: boolean;
}

/**
 * The addresses of a contact in a conversation: those that they are known by, and those that they asked to be answered at.
 *
 * @param mails of the conversation
 */
export function addressesInMails(
  known: readonly string[],
  isNameless: boolean,
  mails: readonly Pick<MailRow, "direction" | "sender" | "recipients">[],
): ReadonlySet<string> {
  const own = new Set(known);
  const asked = mails.flatMap(({ direction, sender, recipients }) => {
    const isTheirs = sender === null ? isNameless : own.has(foldAddress((JSON.parse(sender) as MailAddress).address));
    if (direction === "out" || !isTheirs) return [];
    return (JSON.parse(recipients) as { reply_to: MailAddress[] }).reply_to;
  });
  return new Set([...own, ...asked.map(({ address }) => foldAddress(address))]);
}

export interface ExportedMail {
  from: ExportedMessage["from"];
  name: string | null;
  email: NonNullable<ExportedMessage["email"]>;
  /** Written by the contact or sent to them: of other mails, they may not know that they exist. */
  isForContact: boolean;
}

/**
 * A mail in a conversation of a contact who is exported.
 *
 * @param delivery how far a mail of ours has got: what is known of other recipients is left out
 */
export function presentExportedMail(
  { direction, sender, recipients, subject, header_id, folded_text }: MailRow,
  { contactName, addresses, isNameless }: MailPeople,
  delivery: Pick<MessageDelivery, "recipients"> | undefined,
): ExportedMail {
  const writer: MailAddress | null = sender === null ? null : JSON.parse(sender);
  const { to, cc } = JSON.parse(recipients) as Record<"to" | "cc", MailAddress[]>;
  const isContact = ({ address }: Pick<MailAddress, "address">) => addresses.has(foldAddress(address));
  const isTheirs = writer === null ? isNameless : isContact(writer);
  const from = direction === "out" ? "team" : isTheirs ? "contact" : "other";
  return {
    from,
    name: from === "contact" ? contactName : (writer?.name ?? null),
    email: {
      ...{ from: writer, to, cc, subject, message_id: header_id, folded_text },
      deliveries: (delivery?.recipients ?? [])
        .filter(isContact)
        .map(({ address, state, reason }) => ({ address, state, reason })),
    },
    isForContact: from === "contact" || [...to, ...cc].some(isContact),
  };
}
