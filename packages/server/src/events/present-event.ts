import type { AgentRow, AttachmentRow, ContactRow, ConversationRow, MessageRow, WidgetRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";
import type { EventFacts } from "./event.ts";

/**
 * The payload (`data`) of an event, exactly as `core/contract/events.ts` describes the public ones. Made once, at the
 * commit, and stored: every delivery and every reader of the log sees the same bytes.
 *
 * Specification: "Events", "Shared payload sub-objects"; decisions 36, 45, 47, 70, 71.
 */
export function presentEvent(event: EventFacts): object {
  switch (event.name) {
    case "message.received":
      return {
        message: message(event.message, event.attachments),
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
      };
    case "message.sent":
    case "note.added":
      return {
        message: message(event.message, event.attachments),
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        agent: agentName(event.agent),
      };
    case "conversation.created":
      return {
        conversation: {
          ...conversation(event.conversation, event.widget),
          created_at: isoTime(event.conversation.created_at),
          ...(event.conversation.first_page_url && { first_page_url: event.conversation.first_page_url }),
        },
        visitor: visitor(event.contact),
        ...(event.conversation.first_page_url && { source: event.conversation.first_page_url }),
      };
    case "conversation.resolved":
      return {
        conversation: {
          ...conversation(event.conversation, event.widget),
          resolved_at: isoTime(event.resolvedAt),
        },
        visitor: visitor(event.contact),
        resolved_by: event.resolvedBy,
      };
    case "conversation.reopened":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        reopened_by: event.reopenedBy,
      };
    case "contact.updated":
      return {
        visitor: visitor(event.contact),
        updated_fields: Object.keys(event.current),
        previous_values: event.previous,
        current_values: event.current,
        ...(event.source && { source: event.source }),
      };
    case "contact.created":
      return { visitor: visitor(event.contact) };
    case "agent.created":
    case "agent.invited":
    case "agent.joined":
      return { agent: { ...agentName(event.agent), email: event.agent.email, role: event.agent.role } };
    case "widget.created":
      return { widget: { id: event.widget.id, name: event.widget.name } };
    case "webhook.created":
    case "webhook.updated":
    case "webhook.deleted":
      return { webhook: { id: event.webhook.id, name: event.webhook.name } };
    case "api-key.created":
      return { api_key: event.key };
    case "team.created":
    case "team.updated":
      return { team: { name: event.team.name, api_access: event.team.api_access === 1 } };
    default:
      return event satisfies never;
  }
}

function conversation(row: ConversationRow, widget: Pick<WidgetRow, "id" | "name">) {
  return {
    id: row.id,
    channel: row.channel,
    status: row.is_resolved ? "resolved" : "open",
    ...(row.channel === "website" && widget.name && { widget_name: widget.name, identifier: widget.id }),
  };
}

function visitor(row: Pick<ContactRow, "id" | "name" | "email" | "phone">) {
  return { id: row.id, ...(row.name && { name: row.name }), email: row.email, phone: row.phone };
}

function agentName(row: AgentRow) {
  return { id: row.id, name: row.name ?? row.email };
}

function message(row: MessageRow, attachments: readonly AttachmentRow[]) {
  return {
    id: row.id,
    ...(row.content && { content: row.content }),
    attachments: attachments.map(attachment),
    created_at: isoTime(row.created_at),
  };
}

function attachment(row: AttachmentRow) {
  return {
    content: row.url,
    ...(row.type && { type: row.type }),
    ...(row.mime && { mime: row.mime }),
    ...(row.name && { original_file_name: row.name }),
    size: row.size,
  };
}
