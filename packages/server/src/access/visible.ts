import type { ConversationRow } from "../storage/tables.ts";
import type { Actor } from "./actor.ts";

/**
 * Whether the actor may see a conversation of its team. What it may not see is as what does not exist (decision 54).
 * Conversations of the website belong to a widget, the others to their channel.
 */
export function maySeeConversation(
  actor: Actor,
  { widget_id, channel }: Pick<ConversationRow, "widget_id" | "channel">,
): boolean {
  if (actor.kind !== "assistant") return true;
  return channel === "website" ? includes(actor.widgets, widget_id) : includes(actor.channels, channel);
}

/** Whether the actor may see a contact of its team: one that came by a widget that it may see. */
export function maySeeContact(actor: Actor, { widget_id }: { widget_id: string }): boolean {
  return actor.kind !== "assistant" || includes(actor.widgets, widget_id);
}

function includes(granted: "all" | readonly string[], name: string): boolean {
  return granted === "all" || granted.includes(name);
}
