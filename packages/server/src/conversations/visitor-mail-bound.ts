import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context } from "../context.ts";
import { spans, strangerBounds } from "../limits/stranger-bounds.ts";
import type { ContactRow } from "../storage/tables.ts";
import { mailsTo, putMail } from "./visitor-mail-store.ts";

/**
 * Mails in an hour to an unverified address, over all conversations of a team: a visitor may have typed another person's
 * address. What exceeds it waits, and is sent in one later mail.
 */
const [MAILBOX] = strangerBounds.mails.bounds;
/** A mail stops counting after this long. */
export const MAIL_WINDOW_MS = spans[MAILBOX.per];

/** The mail with the replies of a conversation up to a sort number. */
interface ReplyMail {
  conversationId: string;
  upTo: number;
}

/**
 * Counts a mail that is about to be sent; a repeat counts it once. Stored in the database, so that it holds over processes
 * and restarts.
 *
 * @returns when it may be sent instead, ms since the epoch; undefined when it may be sent now
 */
export async function claimMailSlot(
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
