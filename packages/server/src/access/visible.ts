import { traitsOf } from "@frontdesk/core/domain/channel";
import type { Context } from "../context.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import type { Actor, AssistantActor } from "./actor.ts";
import { channelsOfContact } from "./visibility-store.ts";

/**
 * Whether the actor may see a conversation of its team. What it may not see is treated as missing (decision 54). An assistant
 * is granted the conversations of the website by their widgets, the others by their channels; a visitor sees those that
 * browsers show. docs/decisions/0040-channel-accounts.md
 */
export function maySeeConversation(
  actor: Actor,
  {
    account_id,
    widget_id,
    channel,
    contact_id,
  }: Pick<ConversationRow, "account_id" | "widget_id" | "channel" | "contact_id">,
): boolean {
  switch (actor.kind) {
    case "visitor":
      return contact_id === actor.contactId && traitsOf(channel).inBrowser;
    case "channel":
      return account_id === actor.accountId;
    case "assistant":
      return isGranted(actor, { channel, widget_id });
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

/**
 * Whether the actor may see a contact of its team. An assistant sees one who came by a widget that it is granted, and one who
 * is known in an account of a channel that it is granted; a visitor sees themselves. The data is read only where an assistant
 * does not see the contact by the widget.
 */
export async function maySeeContact(
  { actor, db, teamId }: Pick<Context, "actor" | "db" | "teamId">,
  { id, channel, widget_id }: Pick<ContactRow, "id" | "channel" | "widget_id">,
): Promise<boolean> {
  switch (actor.kind) {
    case "visitor":
      return id === actor.contactId;
    case "channel":
      return false;
    case "assistant": {
      if (traitsOf(channel).byWidget && isGranted(actor, { channel, widget_id })) return true;
      if (actor.channels.length === 0) return false;
      const known = await db.all(channelsOfContact, { team_id: teamId, contact_id: id });
      return known.some((account) => isGranted(actor, { channel: account.channel, widget_id }));
    }
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

/** Whether an assistant is granted a channel, and for the website the widget. */
function isGranted(
  { widgets, channels }: AssistantActor,
  { channel, widget_id }: { channel: string; widget_id: string },
): boolean {
  return traitsOf(channel).byWidget ? includes(widgets, widget_id) : includes(channels, channel);
}

function includes(granted: "all" | readonly string[], name: string): boolean {
  return granted === "all" || granted.includes(name);
}
