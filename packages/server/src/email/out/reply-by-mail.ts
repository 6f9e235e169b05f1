import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { channelAccountById } from "../../channels/channel-account-store.ts";
import type { Context } from "../../context.ts";
import type { TakenAttachment } from "../../files/take-files.ts";
import { listParam } from "../../storage/dialect.ts";
import type { AgentRow, ChannelAccountRow, ConversationRow, MessageRow } from "../../storage/tables.ts";
import { type EmailSettings, readEmailSettings } from "../email-settings.ts";
import { addressesOfContact, insertMail, insertMailToken, peopleOfMails } from "../in/mail-store.ts";
import { MAILS_MAX, participants } from "../in/mail-thread.ts";
import { ownAddresses } from "../own-addresses.ts";
import type { MailAddress } from "../parse/parsed-mail.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { replySubject } from "../rules/mail-subject.ts";
import { conversationMessageId, referencesOfReply } from "../rules/message-ids.ts";
import { type ReplyRecipients, replyRecipients } from "../rules/reply-recipients.ts";
import { newMessageId, newReplyToken, replyAddress, replyTokenHash } from "../rules/reply-token.ts";
import { senderName } from "./compose-mail.ts";
import { type AnsweredMailRow, insertMailRecipient, mailsOfPeople, suppressedAmong } from "./outgoing-mail-store.ts";

/** What mail servers accept at least: files grow by a third in a mail, and 35 MB is the smallest limit of the large ones. */
export const MAIL_FILES_MAX_BYTES = 25 * 1_048_576;

/** Whom the answer to a conversation goes to, and what it answers: decided before the message exists. */
export interface ReplyByMail {
  account: ChannelAccountRow;
  settings: EmailSettings;
  brand: string | null;
  recipients: ReplyRecipients;
  subject: string;
  references: string[];
  /** In its Reply-To and its Message-ID: an answer leads back to the conversation by it. */
  token: string;
  /** Its Message-ID. */
  headerId: string;
}

/** No more mails are searched for the one that a reply answers. */
const ANSWERED_MAX = 50;

/** What a reply by mail needs. @throws Refusal as `recipientsOfReply` */
export async function prepareReply(ctx: Context, conversation: ConversationRow): Promise<ReplyByMail> {
  const { account, settings, brand, answered, recipients } = await recipientsOfReply(ctx, conversation);
  const { header_id: messageId, reference_ids } = answered;
  const answers = { references: reference_ids, messageId };
  const references = referencesOfReply(answers, conversationMessageId(conversation.id, domainOf(settings.address)));
  const subject = replySubject(conversation.email_subject ?? answered.subject);
  return { account, settings, brand, recipients, subject, references, ...newIds(ctx, settings) };
}

/**
 * Whom a reply goes to now: the people of the last mail that a person of the conversation wrote: Reply-To or From, and To and Cc
 * as Cc; never own addresses, and never a stranger who got in. A suppressed address in Cc is left out.
 *
 * @throws Refusal `invalid` on `conversation_id` where nothing can be sent
 */
export async function recipientsOfReply(ctx: Context, conversation: ConversationRow) {
  const [sending, answered, own] = await Promise.all([
    requireAccountToSend(ctx, conversation),
    answeredMail(ctx, conversation),
    ownAddresses(ctx),
  ]);
  // A teammate's reply from a mail program may be from an address of their own.
  const team = answered.direction === "out" ? [...own, answered.from.address] : [...own];
  const recipients = await withoutSuppressed(ctx, sending.account, replyRecipients(answered, team));
  return { ...sending, answered, recipients };
}

/** What the first mail of a conversation needs, which the team begins. */
export function prepareFirst(
  ctx: Context,
  first: Pick<ReplyByMail, "account" | "settings" | "brand" | "subject"> & { to: MailAddress },
): Omit<ReplyByMail, "references"> {
  const { to, ...mail } = first;
  return { ...mail, recipients: { to: [to], cc: [] }, ...newIds(ctx, first.settings) };
}

function newIds({ random }: Context, { address }: EmailSettings): Pick<ReplyByMail, "token" | "headerId"> {
  const token = newReplyToken(random);
  return { token, headerId: newMessageId(random, token, domainOf(address)) };
}

/**
 * The account of a conversation, when mails can be sent from it.
 *
 * @throws Refusal `invalid` on `conversation_id`
 */
export async function requireAccountToSend(
  ctx: Context,
  { account_id }: Pick<ConversationRow, "account_id">,
): Promise<Pick<ReplyByMail, "account" | "settings" | "brand">> {
  const account = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: account_id });
  const reason = account ? obstacleOf(ctx, account) : "channel-deleted";
  if (!account || reason) throw invalid({ conversation_id: reason ?? "channel-deleted" });
  const { home_widget_name: brand, ...row } = account;
  return { account: row, settings: readEmailSettings(JSON.parse(row.settings)), brand };
}

/** Why no mail can be sent from an account; undefined when one can. One that is failing is tried: its mails wait. */
export function obstacleOf({ sendingChannels, sendsMail }: Context, account: ChannelAccountRow) {
  if (account.deleted_at !== null) return "channel-deleted" as const;
  if (account.state === "paused") return "channel-paused" as const;
  if (account.state === "needs-sign-in") return "channel-needs-sign-in" as const;
  const hasServer = readEmailSettings(JSON.parse(account.settings)).outbound !== null || sendsMail;
  return sendingChannels.has(account.channel) && hasServer ? undefined : ("channel-cannot-send" as const);
}

interface Answered extends Omit<AnsweredMailRow, "sender" | "recipients" | "reference_ids"> {
  from: MailAddress;
  replyTo: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  reference_ids: string[];
}

/** @throws Refusal `invalid` on `conversation_id` when there is no one to answer */
async function answeredMail(ctx: Context, conversation: ConversationRow): Promise<Answered> {
  const { id, contact_id, account_id } = conversation;
  const of = { team_id: ctx.teamId, conversation_id: id };
  const [rows, people, addresses] = await Promise.all([
    ctx.db.all(mailsOfPeople, { ...of, limit: ANSWERED_MAX }),
    ctx.db.all(peopleOfMails, { ...of, limit: MAILS_MAX }),
    ctx.db.all(addressesOfContact, { team_id: ctx.teamId, account_id, contact_id }),
  ]);
  const known = participants(
    addresses.map(({ value }) => value),
    people,
  );
  const mails = rows.flatMap((row) => readMail(row) ?? []);
  // What we wrote ourselves is answered to those who got it, when no one has written yet.
  const found =
    mails.find(({ direction, from }) => direction === "in" && known.has(foldAddress(from.address))) ??
    mails.find(({ direction }) => direction === "out");
  if (!found) throw invalid({ conversation_id: "no-mail-recipient" });
  return found;
}

function readMail({ sender, recipients, reference_ids, ...mail }: AnsweredMailRow): Answered | undefined {
  if (sender === null) return undefined;
  const { to, cc, reply_to } = JSON.parse(recipients) as Record<"to" | "cc" | "reply_to", MailAddress[]>;
  // An answer to our own mail does not go to its Reply-To, which is our own address.
  return { ...mail, from: JSON.parse(sender), replyTo: reply_to, to, cc, reference_ids: JSON.parse(reference_ids) };
}

/** Those of some addresses, folded, that nothing is sent to from this account any more. */
export async function suppressedOf(
  ctx: Context,
  account_id: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const folded = listParam(addresses.map(foldAddress));
  const rows = await ctx.db.all(suppressedAmong, { team_id: ctx.teamId, account_id, addresses: folded });
  return new Set(rows.map(({ address }) => address));
}

/** @throws Refusal `invalid` on `conversation_id` when whom the reply is for is suppressed, or when there is no recipient */
async function withoutSuppressed(
  ctx: Context,
  { id }: ChannelAccountRow,
  { to, cc }: ReplyRecipients,
): Promise<ReplyRecipients> {
  if (to.length === 0) throw invalid({ conversation_id: "no-mail-recipient" });
  const suppressed = await suppressedOf(
    ctx,
    id,
    [...to, ...cc].map(({ address }) => address),
  );
  const isFree = ({ address }: MailAddress) => !suppressed.has(foldAddress(address));
  if (!to.every(isFree)) throw invalid({ conversation_id: "recipient-suppressed" });
  return { to, cc: cc.filter(isFree) };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** @throws Refusal `invalid` on `attachments` when they are too large for a mail */
export function requireMailSize(attachments: readonly Pick<TakenAttachment, "size">[]): void {
  const bytes = attachments.reduce((sum, { size }) => sum + (size ?? 0), 0);
  if (bytes <= MAIL_FILES_MAX_BYTES) return;
  throw invalid({ attachments: because("mail-files-too-large", { max: MAIL_FILES_MAX_BYTES / 1_048_576 }) });
}

/** The mail that a mail forwards. */
export interface PassedOn {
  messageId: string;
  /** The positions of its attachments that go along. */
  files: readonly number[];
  /** It, with its header, below the agent's own text. */
  text: string;
}

/** Keeps whom a reply is sent to and how, in the commit of its message. Its bytes are made when it is first sent. */
export function keepReply(
  ctx: Context,
  mail: Omit<ReplyByMail, "references"> & Partial<Pick<ReplyByMail, "references">>,
  message: MessageRow,
  agent: AgentRow | undefined,
  passedOn?: PassedOn,
): void {
  const { account, settings, brand, subject, token, headerId } = mail;
  const { to, cc } = mail.recipients;
  const { address } = settings;
  // A first mail answers none.
  const references = mail.references ?? [conversationMessageId(message.conversation_id, domainOf(address))];
  const of = { team_id: ctx.teamId, message_id: message.id };
  const name = settings.displayName ?? senderName(agent?.name ?? null, brand);
  const replyTo = (settings.plusAddressing && replyAddress(address, token)) || address;
  ctx.write(insertMail, {
    ...{ ...of, conversation_id: message.conversation_id, account_id: account.id, direction: "out", subject },
    header_id: headerId,
    sender: JSON.stringify({ name, address } satisfies MailAddress),
    recipients: JSON.stringify({ to, cc, reply_to: [{ name: null, address: replyTo }] }),
    reference_ids: JSON.stringify(references),
    ...{ raw_file: null, sent_at: message.created_at, folded_text: passedOn?.text ?? null },
    // What is passed on is seen in the mail as it was sent: the message has the agent's text alone.
    has_html: passedOn ? 1 : 0,
    forward_of: passedOn?.messageId ?? null,
    forward_files: passedOn ? JSON.stringify(passedOn.files) : null,
  });
  ctx.write(insertMailToken, {
    ...{ team_id: ctx.teamId, token_hash: replyTokenHash(token), conversation_id: message.conversation_id },
    address: foldAddress(to[0]?.address ?? ""),
  });
  for (const recipient of [...to, ...cc]) {
    const state = { state: "waiting", reason: null, reason_named: null, changed_at: ctx.now };
    ctx.write(insertMailRecipient, { ...of, address: recipient.address, ...state });
  }
}
