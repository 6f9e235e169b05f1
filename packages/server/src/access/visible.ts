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
  switch (actor.kind) {
    case "visitor":
      return contact_id === actor.contactId;
    case "assistant":
      return channel === "website" ? includes(actor.widgets, widget_id) : includes(actor.channels, channel);
    // It finds what it imports into by its account, and asks for nothing else.
    case "channel":
      return false;
    case "api-key":
    case "agent":
    case "automation":
    case "ai":
    case "system":
      return true;
    default:
      return actor satisfies never;
  }
}

/** Whether the actor may see a contact of its team: one that came by a widget that it may see; a visitor, itself alone. */
export function maySeeContact(actor: Actor, { widget_id, id }: { widget_id: string; id: string }): boolean {
  switch (actor.kind) {
    case "visitor":
      return id === actor.contactId;
    case "assistant":
      return includes(actor.widgets, widget_id);
    case "channel":
      return false;
    case "api-key":
    case "agent":
    case "automation":
    case "ai":
    case "system":
      return true;
    default:
      return actor satisfies never;
  }
}

function includes(granted: "all" | readonly string[], name: string): boolean {
  return granted === "all" || granted.includes(name);
}
