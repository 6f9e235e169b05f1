import { otherContactsByEmail } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import type { ConversationView } from "../conversations/conversation-view.ts";
import type { ContactRow } from "../storage/tables.ts";
import { conversationsOf } from "./open-contact.ts";

/** Anyone may type any address: of many contacts with one, those are shown that were active last. */
const MOST_CONTACTS = 5;

/**
 * The conversations of other contacts of the same widget with the same e-mail address, the newest message first. It is a hint for agents:
 * an address that came by mail, or was typed, never makes two contacts one (docs/decisions/0059-incoming-mail.md).
 */
export async function conversationsOfSameAddress(
  ctx: Context,
  { id, widget_id, email_folded }: Pick<ContactRow, "id" | "widget_id" | "email_folded">,
  limit: number,
): Promise<ConversationView[]> {
  if (email_folded === null) return [];
  const of = { team_id: ctx.teamId, widget_id, email_folded, id, limit: MOST_CONTACTS };
  const others = await ctx.db.all(otherContactsByEmail, of);
  const theirs = await Promise.all(others.map((other) => conversationsOf(ctx, other.id, limit)));
  return theirs
    .flat()
    .sort((one, other) => other.conversation.last_message_at - one.conversation.last_message_at)
    .slice(0, limit);
}
