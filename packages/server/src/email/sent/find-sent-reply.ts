import type { AgentStatus } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { actorOfKind } from "../../access/actor.ts";
import { personByEmail } from "../../agents/agent-store.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Context, Operation } from "../../context.ts";
import type { AgentRow, ChannelAccountRow, ConversationRow } from "../../storage/tables.ts";
import { isOurs } from "../in/is-ours.ts";
import { mailAccountSettings } from "../in/mail-account-settings.ts";
import { addressesOfContact } from "../in/mail-store.ts";
import { conversationAnswered, peopleOf } from "../in/mail-thread.ts";
import { ownAddresses } from "../own-addresses.ts";
import type { MailAddress } from "../parse/parsed-mail.ts";
import { automaticKind } from "../rules/automatic-mail.ts";
import { distinctAddresses, foldAddress, isOwnAddress } from "../rules/mail-address.ts";
import { headersOf } from "../rules/mail-headers.ts";
import { verdictOf } from "../rules/verdict.ts";
import { idsOfSent, type SentHead } from "./sent-head.ts";

/** A mail of the folder of sent mails that is a reply in a conversation of its account. */
export interface SentReply {
  conversation: ConversationRow;
  /** Its From. With the address of a mailbox it has no name: that may be of a person, whose name nothing erases there. */
  sender: MailAddress;
  /** The agent whose address that is; undefined: it is the address of a mailbox of the team. */
  agent: AgentRow | undefined;
  to: MailAddress[];
  cc: MailAddress[];
}

/** No more addresses of a mail are kept. */
const ADDRESSES_MAX = 100;
/** The body is not read. */
const UNREAD = { contentType: { type: "text/plain", params: {} }, parts: [] };

/**
 * Whether a mail in the folder of sent mails is a reply in a conversation of the account, and whose:
 *
 * ```
 * without an id, automatic, or forged? -> from a mailbox of the team, or an agent? -> which conversation does it answer?
 *   -> sent by us? -> does a person of the conversation get it? -> a reply
 * ```
 * What it answers alone is not enough: a mail that is forwarded to others refers to the conversation too, and stays private. One that
 * the account's own server has found to be forged came in, and was moved there by a filter.
 */
export async function findSentReply(
  ctx: Context,
  account: ChannelAccountRow,
  head: SentHead,
): Promise<SentReply | undefined> {
  if (head.messageId === null || automaticKind({ ...UNREAD, ...head }, []) !== undefined) return undefined;
  if (verdictOf(head.headers, mailAccountSettings(account).authservId)?.dmarc === "fail") return undefined;
  const accountId = account.id;
  const own = [...(await ownAddresses(ctx))];
  const writer = await writerOf(ctx, head, own);
  if (!writer) return undefined;
  const ids = idsOfSent(head, own);
  const conversation = await conversationAnswered(ctx, accountId, ids);
  if (!conversation || (await isOurs(ctx, accountId, ids))) return undefined;
  const [to, cc] = [head.to, head.cc].map((all) => distinctAddresses(all).slice(0, ADDRESSES_MAX));
  const recipients = [...(to ?? []), ...(cc ?? [])].filter(({ address }) => !isOwnAddress(address, own));
  const isReply = await reachesPeople(ctx, conversation, recipients);
  return isReply ? { conversation, ...writer, to: to ?? [], cc: cc ?? [] } : undefined;
}

async function writerOf(
  ctx: Context,
  { headers, from }: SentHead,
  own: readonly string[],
): Promise<Pick<SentReply, "sender" | "agent"> | undefined> {
  const [written] = distinctAddresses(from);
  if (!written || from.length !== 1 || headersOf(headers, "from").length !== 1) return undefined;
  const { name, address } = written;
  const agent = await activeAgent(ctx, address);
  if (agent) return { sender: { name: name === address ? null : name, address }, agent };
  return isOwnAddress(address, own) ? { sender: { name: null, address }, agent } : undefined;
}

/** The contact gets it, or another person of the conversation: colleagues among themselves answer no one. */
async function reachesPeople(
  ctx: Context,
  conversation: ConversationRow,
  recipients: readonly MailAddress[],
): Promise<boolean> {
  const { contact, all } = await peopleOf(ctx, conversation);
  const known = recipients.map(({ address }) => foldAddress(address)).filter((address) => all.has(address));
  if (known.some((address) => contact.includes(address))) return true;
  for (const address of known) if (!(await activeAgent(ctx, address))) return true;
  return false;
}

async function activeAgent(ctx: Context, address: string): Promise<AgentRow | undefined> {
  const agent = await ctx.db.first(personByEmail, { team_id: ctx.teamId, email_folded: foldText(address) });
  return agent?.status === ("active" satisfies AgentStatus) ? agent : undefined;
}

/**
 * Whom a sent mail is about while it waits for its import: an address of the contact whom it answers, so that it is found when they are
 * erased; null for a contact without one. Undefined for a mail that is no reply.
 */
export async function contactOfSent(
  ctx: Context,
  account: ChannelAccountRow,
  head: SentHead,
): Promise<string | null | undefined> {
  const reply = await findSentReply(ctx, account, head);
  if (!reply) return undefined;
  const { contact_id } = reply.conversation;
  const addresses = await ctx.db.all(addressesOfContact, { team_id: ctx.teamId, account_id: account.id, contact_id });
  return addresses[0]?.value ?? null;
}

/** Whether a mail of the folder of sent mails, of which the headers are known, is a reply in a conversation of the actor's account. */
export const isSentReply: Operation<{ head: SentHead }, boolean> = {
  name: "is-sent-reply",
  mode: "read",
  async run(ctx, { head }) {
    const { row } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    return (await findSentReply(ctx, row, head)) !== undefined;
  },
};
