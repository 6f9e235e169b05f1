import { type Channel, traitsOf } from "@frontdesk/core/domain/channel";
import { channelAccountById } from "../../channels/channel-account-store.ts";
import { externalMessage } from "../../channels/external-message-store.ts";
import type { Context } from "../../context.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import type { ConversationRow, MailRow } from "../../storage/tables.ts";
import type { MailAddress } from "../parse/parsed-mail.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { conversationOfMessageId } from "../rules/message-ids.ts";
import { type FoundThread, threadOf } from "../rules/thread-of.ts";
import type { IncomingMail } from "./incoming-mail.ts";
import { addressesOfContact, conversationOfHeaderId, conversationOfToken, peopleOfMails } from "./mail-store.ts";

/**
 * Where a mail belongs (`rules/thread-of.ts`).
 *
 * - `join`: an answer of a person of the conversation; `join-marked`: of somebody who was not part of it so far
 * - `new`: everything else; `isMarked` where who wrote it is not certain
 * - `new-linked`: it refers to a conversation that it does not belong to
 */
export type MailThread =
  | { outcome: "join" | "join-marked"; conversation: ConversationRow }
  | { outcome: "new"; isMarked: boolean }
  | { outcome: "new-linked"; conversation: ConversationRow };

/** Whose addresses count: the mails after these bring no new ones. */
export const MAILS_MAX = 500;

/** @param reopenDays an answer to a conversation that was resolved longer ago begins a new one; null: never */
export async function findThread(
  ctx: Context,
  mail: IncomingMail,
  of: { accountId: string; reopenDays: number | null },
): Promise<MailThread> {
  const { teamId: team_id } = ctx;
  const tokens = await firstOf(mail.tokens, (token_hash) => ctx.db.first(conversationOfToken, { team_id, token_hash }));
  const byToken = await conversationIn(ctx, of.accountId, tokens?.conversation_id, { orChat: true });
  const ids = byToken
    ? undefined
    : await firstOf(mail.answers, (header_id) => conversationOfId(ctx, of.accountId, header_id));
  const byId = await conversationIn(ctx, of.accountId, ids?.conversation_id);
  const thread = threadOf({
    byToken: byToken && (await factsOf(ctx, byToken, mail, of.reopenDays, tokens?.address)),
    byId: byId && (await factsOf(ctx, byId, mail, of.reopenDays)),
    dmarcFailed: mail.dmarcFailed,
    isTrusted: mail.isTrusted,
    isAutomatic: mail.automatic !== undefined,
  });
  const conversation = byToken ?? byId;
  if (thread.outcome === "new" || !conversation)
    return { outcome: "new", isMarked: thread.outcome === "new" && thread.isMarked };
  return { outcome: thread.outcome, conversation };
}

/** The conversation of the account that tokens lead to, else ids: those of a mail that answers one of its mails. */
export async function conversationAnswered(
  ctx: Context,
  accountId: string,
  { tokens, answers }: Pick<IncomingMail, "tokens" | "answers">,
): Promise<ConversationRow | undefined> {
  const { teamId: team_id } = ctx;
  const byToken = await firstOf(tokens, (token_hash) => ctx.db.first(conversationOfToken, { team_id, token_hash }));
  const found = await conversationIn(ctx, accountId, byToken?.conversation_id);
  if (found) return found;
  const byId = await firstOf(answers, (header_id) => conversationOfId(ctx, accountId, header_id));
  return conversationIn(ctx, accountId, byId?.conversation_id);
}

/** Of a mail with this id; also one that a relay has given to a mail of ours in place of its own, and the id that all of them refer to. */
async function conversationOfId(
  { db, teamId: team_id }: Context,
  account_id: string,
  header_id: string,
): Promise<{ conversation_id: string } | undefined> {
  const named = conversationOfMessageId(header_id);
  if (named) return { conversation_id: named };
  const found = await db.first(conversationOfHeaderId, { team_id, account_id, header_id });
  return found ?? (await db.first(externalMessage, { team_id, account_id, external_id: header_id, direction: "out" }));
}

/** The conversation, if it is one of the account, or with `orChat` a chat whose widget is still there. */
async function conversationIn(
  ctx: Context,
  accountId: string,
  id: string | undefined,
  { orChat = false } = {},
): Promise<ConversationRow | undefined> {
  const found = id === undefined ? undefined : await ctx.db.first(conversationById, { team_id: ctx.teamId, id });
  if (!found || found.account_id === accountId) return found;
  if (!orChat || !traitsOf(found.channel).inBrowser) return undefined;
  const account = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: found.account_id });
  return account?.deleted_at === null ? found : undefined;
}

/** @param askedAddress of a token: to whom the mail with it was sent */
async function factsOf(
  ctx: Context,
  conversation: ConversationRow,
  { sender }: IncomingMail,
  reopenDays: number | null,
  askedAddress?: string,
): Promise<FoundThread> {
  const isChat = traitsOf(conversation.channel).inBrowser;
  const knows = (address: string) =>
    isChat ? foldAddress(address) === askedAddress : isPartOf(ctx, conversation, address);
  return {
    conversationId: conversation.id,
    channel: conversation.channel as Channel,
    knowsSender: sender !== null && (await knows(sender.address)),
    isResolved: conversation.is_resolved === 1,
    isPastReopening: isOver(conversation, reopenDays, ctx.now),
  };
}

const DAY_MS = 86_400_000;

const isOver = ({ is_resolved, resolved_at }: ConversationRow, reopenDays: number | null, now: number): boolean =>
  reopenDays !== null && is_resolved === 1 && resolved_at !== null && resolved_at + reopenDays * DAY_MS < now;

const isPartOf = async (ctx: Context, conversation: ConversationRow, sender: string): Promise<boolean> =>
  (await peopleOf(ctx, conversation)).all.has(foldAddress(sender));

/** The folded addresses of a conversation's contact, and of all of its people. */
export async function peopleOf(
  ctx: Context,
  { id, contact_id, account_id }: ConversationRow,
): Promise<{ contact: readonly string[]; all: ReadonlySet<string> }> {
  const [addresses, mails] = await Promise.all([
    ctx.db.all(addressesOfContact, { team_id: ctx.teamId, account_id, contact_id }),
    ctx.db.all(peopleOfMails, { team_id: ctx.teamId, conversation_id: id, limit: MAILS_MAX }),
  ]);
  const contact = addresses.map(({ value }) => value);
  return { contact, all: participants(contact, mails) };
}

/**
 * The folded addresses of a conversation's people: the contact, and those to whom we or they have written. A stranger who got in does
 * not bring others.
 */
export function participants(
  ofContact: readonly string[],
  mails: readonly Pick<MailRow, "direction" | "sender" | "recipients">[],
): ReadonlySet<string> {
  const known = new Set(ofContact);
  for (const { direction, sender, recipients } of mails) {
    const from = sender === null ? undefined : foldAddress((JSON.parse(sender) as MailAddress).address);
    if (direction === "in" && (from === undefined || !known.has(from))) continue;
    const { to, cc } = JSON.parse(recipients) as { to: MailAddress[]; cc: MailAddress[] };
    for (const { address } of [...to, ...cc]) known.add(foldAddress(address));
  }
  return known;
}

async function firstOf<T, R>(items: readonly T[], find: (item: T) => Promise<R | undefined>): Promise<R | undefined> {
  for (const item of items) {
    const found = await find(item);
    if (found) return found;
  }
  return undefined;
}
