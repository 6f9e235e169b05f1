import { events } from "@frontdesk/core/contract";
import type {
  AgentRow,
  ArticleRow,
  AttachmentRow,
  ContactRow,
  ConversationRow,
  MessageRow,
  TagRow,
  WidgetRow,
} from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { EventFacts, NamedValue } from "./event.ts";

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
    case "system-line.added":
      return {
        message: message(event.message, event.attachments),
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        said: event.said,
      };
    case "message.sent":
      return {
        message: message(event.message, event.attachments),
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        agent: agentName(event.agent),
      };
    case "note.added":
      return {
        message: message(event.message, event.attachments),
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        agent: agentName(event.agent),
        mentions: event.mentions.map(agentName),
      };
    case "conversation.created":
      return {
        conversation: {
          ...conversation(event.conversation, event.widget),
          created_at: isoTime(event.conversation.created_at),
          ...(event.conversation.first_page_url && { first_page_url: event.conversation.first_page_url }),
        },
        visitor: visitor(event.contact),
        ...withSource(event.conversation),
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
    case "conversation.seen":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        seen_number: event.conversation.visitor_seen_number,
      };
    case "conversation.read":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        read_number: event.conversation.team_seen_number,
      };
    case "conversation.marked-unread":
      return { conversation: conversation(event.conversation, event.widget), visitor: visitor(event.contact) };
    case "conversation.rated":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        rating: event.conversation.rating,
        comment: event.conversation.rating_comment,
      };
    case "conversation.snoozed":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        until: isoTimeOrNull(event.conversation.snoozed_until),
        snoozed_by: event.snoozedBy,
      };
    case "conversation.unsnoozed":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        ended_by: event.endedBy,
      };
    case "handoff.requested":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        requested_by: event.requestedBy,
      };
    case "handoff.ended":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        ended_by: event.endedBy,
      };
    case "agent.assigned":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        agent: { ...agentName(event.agent), email: event.agent.email },
        assigned_by: event.assignedBy,
      };
    case "agent.unassigned":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        agent: { ...agentName(event.agent), email: event.agent.email },
        removed_by: event.removedBy,
      };
    case "tag.created":
      return { tag: tag(event.tag) };
    case "tag.updated":
      return { tag: tag(event.tag), before: { name: event.before.name, color: event.before.color } };
    case "tag.deleted":
      return { tag: tag(event.tag), merged_into: event.mergedInto ? tag(event.mergedInto) : null };
    case "tag.assigned":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        tag: { name: event.tag.name },
        assigned_by: event.assignedBy,
      };
    case "tag.removed":
      return {
        conversation: conversation(event.conversation, event.widget),
        visitor: visitor(event.contact),
        tag: { name: event.tag.name },
        removed_by: event.removedBy,
      };
    case "custom-field.created":
    case "custom-field.deleted":
      return { custom_field: { id: event.field.id, name: event.field.name } };
    case "custom-field.updated":
      return { custom_field: { id: event.field.id, name: event.field.name }, before: { name: event.before.name } };
    case "custom.data.assigned":
      return {
        visitor: visitor(event.contact),
        custom_data: customData(event.customData),
        assigned_by: event.assignedBy,
      };
    case "custom.data.removed":
      return {
        visitor: visitor(event.contact),
        custom_data: customData(event.customData),
        removed_by: event.removedBy,
      };
    case "article.created":
      return { article: article(event.article), created_by: event.createdBy };
    case "article.updated":
      return { article: article(event.article), updated_fields: event.updatedFields, updated_by: event.updatedBy };
    case "article.removed":
      return { article: article(event.article), removed_by: event.removedBy };
    case "contact.updated":
      return {
        visitor: visitor(event.contact),
        updated_fields: Object.keys(event.current),
        previous_values: event.previous,
        current_values: event.current,
        ...(event.source && { source: event.source }),
      };
    case "contact.blocked":
    case "contact.unblocked":
      return { visitor: visitor(event.contact), changed_by: event.changedBy };
    case "contact.created":
    case "visitor-session.verified":
      return { visitor: visitor(event.contact) };
    case "agent.created":
    case "agent.invited":
    case "agent.joined":
      return { agent: { ...agentName(event.agent), email: event.agent.email, role: event.agent.role } };
    case "agent.updated":
      return {
        agent: {
          ...agentName(event.agent),
          email: event.agent.email,
          role: event.agent.role,
          status: event.agent.status,
          availability: event.agent.availability,
          profile_photo_url: event.agent.profile_photo_url,
        },
      };
    case "visitor-session.moved":
      return { visitor: visitor(event.contact), moved_to: event.to ? visitor(event.to) : null };
    case "widget.created":
    case "widget.updated":
      return { widget: { id: event.widget.id, name: event.widget.name } };
    case "webhook.tested":
      return events[event.shows].example;
    case "webhook.created":
    case "webhook.updated":
    case "webhook.deleted":
      return { webhook: { id: event.webhook.id, name: event.webhook.name } };
    case "api-key.created":
    case "api-key.revoked":
      return { api_key: event.key };
    case "assistant.created":
    case "assistant.updated":
      return { assistant: { id: event.assistant.id, name: event.assistant.name, state: event.assistant.state } };
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

/** Where a new conversation comes from (decision 45): the page, or the channel; nothing when the page is unknown. */
function withSource({ channel, first_page_url }: ConversationRow) {
  const source = channel === "website" ? first_page_url : channel;
  return source ? { source } : {};
}

/** One pair (decision 46). A computed name is always a plain one, `__proto__` too. */
function customData({ name, value }: NamedValue) {
  return { [name]: value };
}

function tag({ id, name, color }: Pick<TagRow, "id" | "name" | "color">) {
  return { id, name, color };
}

function article(row: Pick<ArticleRow, "id" | "question" | "is_published">) {
  return { id: row.id, question: row.question, is_published: row.is_published === 1 };
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
