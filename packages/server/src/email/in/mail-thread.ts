import type { Context } from "../../context.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import type { ConversationRow, MailRow } from "../../storage/tables.ts";
import type { MailAddress } from "../parse/parsed-mail.ts";
import { foldAddress } from "../rules/mail-address.ts";
import type { IncomingMail } from "./incoming-mail.ts";
import { addressesOfContact, conversationOfHeaderId, conversationOfToken, peopleOfMails } from "./mail-store.ts";

/**
 * Where a mail belongs. Subjects never count, and an id alone is not enough: it can be guessed, or forwarded.
 *
 * - `joins`: an answer of a person of the conversation
 * - `joins-as-stranger`: an answer to an address with our token, of a person who was not part of the conversation
 * - `new`: everything else; `answers` is the conversation that it refers to without belonging to it
 */
export type MailThread =
  | { outcome: "joins" | "joins-as-stranger"; conversation: ConversationRow }
  | { outcome: "new"; answers: ConversationRow | undefined };

/** Whose addresses count: the mails after these bring no new ones. */
const MAILS_MAX = 500;

/** @param reopenDays an answer to a conversation that was resolved longer ago begins a new one; null: never */
export async function findThread(
  ctx: Context,
  mail: IncomingMail,
  { accountId, reopenDays }: { accountId: string; reopenDays: number | null },
): Promise<MailThread> {
  const byToken = await firstOf(mail.tokens, (token_hash) =>
    ctx.db.first(conversationOfToken, { team_id: ctx.teamId, token_hash }),
  );
  const byId =
    byToken ??
    (await firstOf(mail.answers, (header_id) =>
      ctx.db.first(conversationOfHeaderId, { team_id: ctx.teamId, account_id: accountId, header_id }),
    ));
  const conversation =
    byId && (await ctx.db.first(conversationById, { team_id: ctx.teamId, id: byId.conversation_id }));
  if (!conversation || conversation.account_id !== accountId) return { outcome: "new", answers: undefined };
  if (isOver(conversation, reopenDays, ctx.now)) return { outcome: "new", answers: conversation };
  if (mail.sender !== null && (await isPartOf(ctx, conversation, mail.sender)))
    return { outcome: "joins", conversation };
  return byToken ? { outcome: "joins-as-stranger", conversation } : { outcome: "new", answers: conversation };
}

const DAY_MS = 86_400_000;

const isOver = ({ is_resolved, resolved_at }: ConversationRow, reopenDays: number | null, now: number): boolean =>
  reopenDays !== null && is_resolved === 1 && resolved_at !== null && resolved_at + reopenDays * DAY_MS < now;

async function isPartOf(ctx: Context, conversation: ConversationRow, sender: MailAddress): Promise<boolean> {
  const { id, contact_id, account_id } = conversation;
  const [addresses, mails] = await Promise.all([
    ctx.db.all(addressesOfContact, { team_id: ctx.teamId, account_id, contact_id }),
    ctx.db.all(peopleOfMails, { team_id: ctx.teamId, conversation_id: id, limit: MAILS_MAX }),
  ]);
  const ofContact = addresses.map(({ value }) => value);
  return participants(ofContact, mails).has(foldAddress(sender.address));
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
