import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { maySeeConversation } from "../access/visible.ts";
import type { Context } from "../context.ts";
import type { ContactRow, ConversationRow, WidgetRow } from "../storage/tables.ts";
import { conversationById, conversationWithPeople } from "./conversation-store.ts";

/** A conversation with its contact and its origin: what writing into it, and its events, need. */
export interface ConversationWithPeople {
  conversation: ConversationRow;
  contact: Pick<ContactRow, "id" | "name" | "email" | "phone" | "blocked_at">;
  widget: Pick<WidgetRow, "id" | "name">;
}

/**
 * A conversation that the actor may see.
 *
 * @throws Refusal `not-found`, the same for a missing one, another team's, one that the actor may not see, and a text that is
 *   not an id
 */
export async function findConversation(ctx: Context, conversationId: string): Promise<ConversationRow> {
  const id = canonicalId(conversationId);
  const conversation = id && (await ctx.db.first(conversationById, { team_id: ctx.teamId, id }));
  if (!conversation || !maySeeConversation(ctx.actor, conversation)) throw notFound("conversation");
  return conversation;
}

/** The same with its contact and its origin. */
export async function findConversationWithPeople(
  ctx: Context,
  conversationId: string,
): Promise<ConversationWithPeople> {
  const found = await conversationOfData(ctx, conversationId);
  if (!maySeeConversation(ctx.actor, found.conversation)) throw notFound("conversation");
  return found;
}

/**
 * The same of a conversation that other data of the team leads to, such as a token of ours: whatever the actor may see.
 *
 * @throws Refusal `not-found`
 */
export async function conversationOfData(ctx: Context, conversationId: string): Promise<ConversationWithPeople> {
  const id = canonicalId(conversationId);
  const row = id && (await ctx.db.first(conversationWithPeople, { team_id: ctx.teamId, id }));
  if (!row) throw notFound("conversation");
  const { contact_name, contact_email, contact_phone, contact_blocked_at, widget_name, ...conversation } = row;
  return {
    conversation,
    contact: {
      id: conversation.contact_id,
      name: contact_name,
      email: contact_email,
      phone: contact_phone,
      blocked_at: contact_blocked_at,
    },
    widget: { id: conversation.widget_id, name: widget_name },
  };
}
