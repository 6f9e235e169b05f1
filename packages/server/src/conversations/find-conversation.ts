import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { contactById } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import type { ContactRow, ConversationRow, WidgetRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { conversationById } from "./conversation-store.ts";

/**
 * A conversation that the actor may see.
 *
 * @throws Refusal `not-found`, the same for a missing one, another team's, and a text that is no id
 */
export async function findConversation(ctx: Context, conversationId: string): Promise<ConversationRow> {
  const id = canonicalId(conversationId);
  const conversation = id && (await ctx.db.first(conversationById, { team_id: ctx.teamId, id }));
  if (!conversation) throw notFound("conversation");
  return conversation;
}

/** The contact and the widget of a conversation. */
export async function peopleOf(
  ctx: Context,
  conversation: ConversationRow,
): Promise<{ contact: ContactRow; widget: WidgetRow }> {
  const [contact, widget] = await Promise.all([
    ctx.db.first(contactById, { team_id: ctx.teamId, id: conversation.contact_id }),
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: conversation.widget_id }),
  ]);
  if (!contact || !widget) throw new Error(`Conversation ${conversation.id} has lost its contact or its widget.`);
  return { contact, widget };
}
