import type { ConversationRow } from "../storage/tables.ts";
import type { Actor } from "./actor.ts";

/**
 * Whether the actor may see a conversation of its team. What it may not see is as what does not exist (decision 54).
 * Conversations of the website belong to a widget, the others to their channel.
 */
export function maySeeConversation(
  actor: Actor,
  { widget_id, channel, contact_id }: Pick<ConversationRow, "widget_id" | "channel" | "contact_id">,
): boolean {
  if (actor.kind === "visitor") return contact_id === actor.contactId;
  if (actor.kind !== "assistant") return true;
  return channel === "website" ? includes(actor.widgets, widget_id) : includes(actor.channels, channel);
}

/** Whether the actor may see a contact of its team: one that came by a widget that it may see; a visitor, itself alone. */
export function maySeeContact(actor: Actor, { widget_id, id }: { widget_id: string; id: string }): boolean {
  if (actor.kind === "visitor") return id === actor.contactId;
  return actor.kind !== "assistant" || includes(actor.widgets, widget_id);
}

function includes(granted: "all" | readonly string[], name: string): boolean {
  return granted === "all" || granted.includes(name);
}
