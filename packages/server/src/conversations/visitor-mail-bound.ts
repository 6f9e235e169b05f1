import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context } from "../context.ts";
import { spans, strangerBounds } from "../limits/stranger-bounds.ts";
import type { ContactRow } from "../storage/tables.ts";
import { mailsTo, putMail } from "./visitor-mail-store.ts";

/**
 * Mails in an hour to an address that no identity vouches for, over all conversations of a team: a visitor may have typed
 * the address of somebody else. What is too much waits, and comes in one later mail.
 */
const [MAILBOX] = strangerBounds.mails.bounds;
/** After so long a mail counts no more. */
export const MAIL_WINDOW_MS = spans[MAILBOX.per];

/** The mail with the replies of a conversation up to a sort number. */
interface ReplyMail {
  conversationId: string;
  upTo: number;
}

/**
 * Counts a mail that is about to be sent; a repeat counts it once. Kept in the database, so that it holds over processes
 * and restarts.
 *
 * @returns when it may be sent instead, ms since the epoch; undefined when it may be sent now
 */
export async function takeMailPlace(
  ctx: Context,
  contact: Pick<ContactRow, "verified_email"> & { email: string },
  { conversationId, upTo }: ReplyMail,
): Promise<number | undefined> {
  if (contact.verified_email === contact.email) return undefined;
  const mail = {
    team_id: ctx.teamId,
    email_folded: foldText(contact.email),
    conversation_id: conversationId,
    up_to: upTo,
  };
  const sent = await ctx.db.all(mailsTo, { ...mail, after: ctx.now - MAIL_WINDOW_MS });
  const first = sent.at(-MAILBOX.limit);
  if (first) return first.sent_at + MAIL_WINDOW_MS;
  ctx.write(putMail, { ...mail, sent_at: ctx.now });
  return undefined;
}
