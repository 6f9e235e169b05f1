import { firstPageVisit } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import type { ContactRow, WidgetRow } from "../storage/tables.ts";
import { changeList } from "./conversation-lists.ts";
import { mostRecentConversation } from "./conversation-store.ts";
import type { ConversationWithPeople } from "./find-conversation.ts";
import { startConversation } from "./start-conversation.ts";

/**
 * The conversation that a known contact's message joins: the most recent one, reopened when it was resolved; else a first
 * one. Specification: "States and transitions", POST /conversations.
 */
export async function conversationToJoin(
  ctx: Context,
  widget: WidgetRow,
  contact: ContactRow,
): Promise<ConversationWithPeople> {
  return (await latestConversation(ctx, widget, contact)) ?? firstConversation(ctx, widget, contact);
}

/** The contact's most recent conversation, reopened when it was resolved; undefined when there is none. */
async function latestConversation(
  ctx: Context,
  widget: WidgetRow,
  contact: ContactRow,
): Promise<ConversationWithPeople | undefined> {
  const latest = await ctx.db.first(mostRecentConversation, { team_id: ctx.teamId, contact_id: contact.id });
  if (!latest?.is_resolved) return latest && { conversation: latest, contact, widget };
  const conversation = { ...latest, is_resolved: 0, resolved_at: null, resolved_by: null, reopened_at: ctx.now };
  changeList(ctx, latest, conversation);
  ctx.record({
    name: "conversation.reopened",
    conversation,
    contact,
    widget,
    reopenedBy: { visitor: { id: contact.id } },
  });
  return { conversation, contact, widget };
}

/** A contact that was initialized on a page begins its first conversation from there. */
async function firstConversation(
  ctx: Context,
  widget: WidgetRow,
  contact: ContactRow,
): Promise<ConversationWithPeople> {
  const visit = await ctx.db.first(firstPageVisit, { team_id: ctx.teamId, contact_id: contact.id });
  return startConversation(ctx, { contact, widget, firstPageUrl: visit?.page ?? null });
}
