/**
 * How the replies of a conversation reach a visitor who has left (docs/decisions/0024-care-for-visitors.md). One job a
 * conversation waits at a time; `mail_due_at` is its moment.
 *
 * ```
 *           .------- they are online, or the reply is younger -------.
 *           v                                                        |
 * reply --> waits --(3 minutes later)--> looks ----------------------+
 *           ^                              |--(seen, or nobody to mail)--> over
 *           |                              |--(the address had its mails of the hour)--> waits for the next hour
 *           |                              '--(not seen, and away)--> mailed --> over
 *           '------------------ a reply came meanwhile ------------------'
 * ```
 */
import type { Context } from "../context.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import { markMailed } from "./conversation-store.ts";
import { type ReadMessageRow, repliesAfter } from "./message-store.ts";

/** How long a reply waits to be seen before it is mailed; so no two mails of a conversation are closer than that. */
const MAILED_AFTER_MS = 3 * 60_000;
/** A job that is overdue for so long was given up: the next reply stores another one. */
const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;
/** Of more replies the newest are mailed; all of them are in the chat. */
const MOST_REPLIES = 20;

/** `mail_due_at` after a reply: a job waits, but for visitors who cannot be mailed. */
export function mailedUnlessSeen(
  ctx: Context,
  { id, mail_due_at }: Pick<ConversationRow, "id" | "mail_due_at">,
  contact: Pick<ContactRow, "email" | "blocked_at">,
): number | null {
  if (!ctx.sendsMail || contact.email === null || contact.blocked_at !== null) return mail_due_at;
  if (mail_due_at !== null && mail_due_at + GIVEN_UP_AFTER_MS > ctx.now) return mail_due_at;
  return storeJob(ctx, id, ctx.now + MAILED_AFTER_MS);
}

/** What the visitor has neither seen nor been told by mail, oldest first. */
export async function unseenReplies(ctx: Context, conversation: ConversationRow): Promise<ReadMessageRow[]> {
  const after = Math.max(conversation.visitor_seen_number, conversation.mailed_number);
  const of = { team_id: ctx.teamId, conversation_id: conversation.id, after, limit: MOST_REPLIES };
  return (await ctx.db.all(repliesAfter, of)).toReversed();
}

/** When a reply may be mailed, if it is still not seen. */
export const replyDue = (reply: ReadMessageRow): number => reply.created_at + MAILED_AFTER_MS;

/** Stores how far the visitor was told, and the job that looks again at `dueAt`; at null nobody does before the next reply. */
export function lookAgain(ctx: Context, conversation: ConversationRow, dueAt: number | null): void {
  ctx.write(markMailed, {
    ...conversation,
    mail_due_at: dueAt === null ? null : storeJob(ctx, conversation.id, dueAt),
  });
}

function storeJob(ctx: Context, conversationId: string, dueAt: number): number {
  ctx.enqueue({ kind: "mail-replies", payload: { teamId: ctx.teamId, conversationId }, dueAt });
  return dueAt;
}
