/**
 * How the replies of a conversation reach a visitor who has left (docs/decisions/0024-care-for-visitors.md): the timer
 * `mail-replies` of the conversation holds the time of the next check, the job `send-replies-mail` sends.
 *
 * ```
 *            .-- they are online, the reply is younger, the address had its mails of the hour, a mail is under way --.
 *            v                                                                                                       |
 * reply --> timer set --(3 minutes later)--> looks ------------------------------------------------------------------+
 *            ^                                 |--(seen, or nobody to mail)--> over
 *            |                                 '--(not seen, and away)--> job enqueued
 *            |                                                                |  ^
 *            |                                            the mail server is  |  |
 *            |                                            down: tried again   '--'
 *            |                                                                |--(seen meanwhile; the last attempt fails)--> over
 *            |--------------------- online by now ----------------------------+
 *            |                                                                '--> mailed --> over
 *            '--------------------- a reply came meanwhile -------------------------'
 * ```
 */
import { traitsOf } from "@frontdesk/core/domain/channel";
import { sessionOfContact } from "../access/visitor-session-store.ts";
import { contactById } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import { unendedJob } from "../jobs/job-store.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { repliesAfter, type WholeMessageRow } from "./message-store.ts";

/** How long a reply waits to be seen before it is mailed; so two mails of a conversation are never closer than that. */
const MAILED_AFTER_MS = 3 * 60_000;
/** A visitor who is online may see the replies at any moment; the next check is after that long. */
const ONLINE_PAUSE_MS = 15 * 60_000;
/** Of more replies the newest are mailed; all of them are in the chat. */
const MOST_REPLIES = 20;

/** After a reply: schedules the check whether it was seen, except for visitors who cannot be mailed. */
export function mailUnlessSeen(
  ctx: Context,
  { id, channel }: Pick<ConversationRow, "id" | "channel">,
  contact: Pick<ContactRow, "email" | "blocked_at">,
): void {
  // In any other channel the reply itself goes out.
  if (!traitsOf(channel).inBrowser) return;
  if (!ctx.sendsMail || contact.email === null || contact.blocked_at !== null) return;
  ctx.setTimer({ kind: "mail-replies", subjectId: id, dueAt: ctx.now + MAILED_AFTER_MS, unlessSet: true });
}

/** Why no mail brings a reply to the visitor once they have left; undefined when one does, or when replies go another way. */
export async function whyUnmailed(
  ctx: Context,
  { channel, contact_id }: Pick<ConversationRow, "channel" | "contact_id">,
): Promise<"mail-off" | "no-email" | undefined> {
  if (!traitsOf(channel).inBrowser) return undefined;
  const [contact, session] = await contactAndSession(ctx, contact_id);
  if (!contact || !session || contact.blocked_at !== null) return undefined;
  if (!ctx.sendsMail) return "mail-off";
  return contact.email === null ? "no-email" : undefined;
}

export type MailDecision =
  | { send: true; contact: ContactRow & { email: string }; replies: WholeMessageRow[]; upTo: number }
  /** `lookAt`: the time of the next check, ms since the epoch; null: not before the next reply. */
  | { send: false; lookAt: number | null };

/** Whether the replies that the visitor has neither seen nor been mailed should be mailed now, oldest first. */
export async function whetherToMail(ctx: Context, conversation: ConversationRow): Promise<MailDecision> {
  const [contact, replies, widget] = await Promise.all([
    whoCanBeMailed(ctx, conversation),
    unseenReplies(ctx, conversation),
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: conversation.widget_id }),
  ]);
  const [oldest, newest] = [replies[0], replies.at(-1)];
  // The conversations of a removed widget are going to be erased.
  if (!ctx.sendsMail || !widget || !contact || !oldest || !newest) return { send: false, lookAt: null };
  if (contact.online_status === "online") return { send: false, lookAt: ctx.now + ONLINE_PAUSE_MS };
  if (replyDue(oldest) > ctx.now) return { send: false, lookAt: replyDue(oldest) };
  return { send: true, contact, replies, upTo: newest.sort_number };
}

/** The time of the next check while a job of the conversation has not ended; undefined when there is none. */
export async function lookAfterMail(ctx: Context, { id }: Pick<ConversationRow, "id">): Promise<number | undefined> {
  const job = await ctx.db.first(unendedJob, { team_id: ctx.teamId, queue_key: id });
  return job && ctx.now + MAILED_AFTER_MS;
}

/** When the oldest reply that was neither seen nor mailed may be mailed; null when there is none. */
export async function nextMailDue(ctx: Context, conversation: ConversationRow): Promise<number | null> {
  const [oldest] = await unseenReplies(ctx, conversation);
  return oldest ? replyDue(oldest) : null;
}

/** Schedules the next check; null: none before the next reply. */
export function lookAgain(ctx: Context, { id }: Pick<ConversationRow, "id">, lookAt: number | null): void {
  if (lookAt === null) ctx.cancelTimer("mail-replies", id);
  else ctx.setTimer({ kind: "mail-replies", subjectId: id, dueAt: lookAt });
}

async function unseenReplies(ctx: Context, conversation: ConversationRow): Promise<WholeMessageRow[]> {
  const after = Math.max(conversation.visitor_seen_number, conversation.mailed_number);
  const of = { team_id: ctx.teamId, conversation_id: conversation.id, after, limit: MOST_REPLIES };
  return (await ctx.db.all(repliesAfter, of)).toReversed();
}

const replyDue = (reply: WholeMessageRow): number => reply.created_at + MAILED_AFTER_MS;

/**
 * The visitor, when they have an e-mail, are not blocked, and have chatted in a browser. A program that created contacts by the
 * REST API notifies them itself.
 */
async function whoCanBeMailed(
  ctx: Context,
  { contact_id }: ConversationRow,
): Promise<(ContactRow & { email: string }) | undefined> {
  const [contact, session] = await contactAndSession(ctx, contact_id);
  if (!contact || !session || contact.email === null || contact.blocked_at !== null) return undefined;
  return { ...contact, email: contact.email };
}

/** The session is undefined for a contact who has not chatted in a browser. */
function contactAndSession(ctx: Context, contactId: string) {
  return Promise.all([
    ctx.db.first(contactById, { team_id: ctx.teamId, id: contactId }),
    ctx.db.first(sessionOfContact, { team_id: ctx.teamId, contact_id: contactId }),
  ]);
}
