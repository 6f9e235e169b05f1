import { traitsOf } from "@frontdesk/core/domain/channel";
import { invalid } from "@frontdesk/core/domain/refusal";
import { sentVia } from "../../access/by-actor.ts";
import type { ChannelAccount } from "../../channels/channel-account.ts";
import { contactOfIdentities } from "../../contacts/contact-of-identities.ts";
import type { Context } from "../../context.ts";
import { addMessage, type WrittenMessage } from "../../conversations/add-message.ts";
import { startConversation } from "../../conversations/start-conversation.ts";
import type { TakenAttachment } from "../../files/take-files.ts";
import type { AgentRow, ChannelAccountRow } from "../../storage/tables.ts";
import { readEmailSettings } from "../email-settings.ts";
import { ownAddresses } from "../own-addresses.ts";
import { foldAddress, isOwnAddress, readAddress } from "../rules/mail-address.ts";
import { baseSubject } from "../rules/mail-subject.ts";
import { keepReply, type PassedOn, prepareFirst, requireMailSize, suppressedOf } from "./reply-by-mail.ts";

export interface BegunByMail {
  row: ChannelAccountRow;
  account: ChannelAccount;
  to: { address: string; name: string | null };
  /** Of the mail; that of the conversation is the same without prefixes. */
  subject: string;
  content: string;
  agent: AgentRow;
  /** The files of the message. */
  attachments(): Promise<readonly TakenAttachment[]>;
  passedOn?: PassedOn;
}

/**
 * A new conversation with the contact of an address, whose first message the team sends by mail.
 *
 * @throws Refusal `invalid` on `to` for a blocked contact, on `attachments` when they are too large
 */
export async function beginByMail(ctx: Context, begun: BegunByMail): Promise<WrittenMessage> {
  const { row, account, to, subject, content, agent, passedOn } = begun;
  const settings = readEmailSettings(JSON.parse(row.settings));
  const { contact } = await contactOfIdentities(ctx, {
    ...{ account, identities: [{ kind: "email", value: foldAddress(to.address) }] },
    ...{ details: { name: to.name, email: to.address }, activeAt: undefined },
  });
  if (contact.blocked_at !== null) throw invalid({ to: "contact-blocked" });
  const attachments = await begun.attachments();
  requireMailSize(attachments);
  const mail = prepareFirst(ctx, { account: row, settings, brand: account.homeWidget.name, subject, to });
  const email = { subject: baseSubject(subject), externalIdentifier: mail.headerId };
  const people = startConversation(ctx, { account, contact, firstPageUrl: null, email });
  const { origin } = traitsOf(account.channel);
  const written = { type: "message", content, attachments, agent, origin } as const;
  const sent = addMessage(ctx, people, { from: "agent", ...written, sentVia: sentVia(ctx.actor) });
  keepReply(ctx, mail, sent.message, agent, passedOn);
  return sent;
}

/** @throws Refusal `invalid` on `to` */
export async function addressToWriteTo(ctx: Context, accountId: string, to: string): Promise<string> {
  const address = readAddress(to);
  if (address === undefined) throw invalid({ to: "not-an-email" });
  if (isOwnAddress(address, [...(await ownAddresses(ctx))])) throw invalid({ to: "own-mail-address" });
  if ((await suppressedOf(ctx, accountId, [address])).size > 0) throw invalid({ to: "recipient-suppressed" });
  return address;
}
