/** The parts that payloads are made of (`payloads.ts`): each takes what it needs of an event's facts, and gives keys of the payload. */
import { events } from "@frontdesk/core/contract";
import { traitsOf } from "@frontdesk/core/domain/channel";
import type { AgentRow, AttachmentRow, ContactRow, ConversationRow, MessageRow, WidgetRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { FactsOf } from "./event.ts";

type OfMessage = { message: MessageRow; attachments: readonly AttachmentRow[] };
type OfConversation = { conversation: ConversationRow; widget: Pick<WidgetRow, "id" | "name"> };
type OfContact = { contact: Pick<ContactRow, "id" | "name" | "email" | "phone"> };
type OfAgent = { agent: AgentRow };

// Messages

export const message = ({ message: row, attachments }: OfMessage) => ({
  message: {
    id: row.id,
    ...(row.content && { content: row.content }),
    attachments: attachments.map(attachment),
    created_at: isoTime(row.created_at),
  },
});

function attachment(row: AttachmentRow) {
  return {
    content: row.url,
    ...(row.type && { type: row.type }),
    ...(row.mime && { mime: row.mime }),
    ...(row.name && { original_file_name: row.name }),
    size: row.size,
  };
}

export const mentions = ({ mentions }: FactsOf<"note.added">) => ({ mentions: mentions.map(agentName) });
export const said = ({ said }: FactsOf<"system-line.added">) => ({ said });

// Conversations

export const conversation = (facts: OfConversation) => ({ conversation: shownConversation(facts) });

export const createdConversation = (facts: OfConversation) => ({
  conversation: {
    ...shownConversation(facts),
    created_at: isoTime(facts.conversation.created_at),
    ...(facts.conversation.first_page_url && { first_page_url: facts.conversation.first_page_url }),
  },
});

export const resolvedConversation = (facts: FactsOf<"conversation.resolved">) => ({
  conversation: { ...shownConversation(facts), resolved_at: isoTime(facts.resolvedAt) },
});

function shownConversation({ conversation: row, widget }: OfConversation) {
  return {
    id: row.id,
    channel: row.channel,
    status: row.is_resolved ? "resolved" : "open",
    ...(traitsOf(row.channel).byWidget && widget.name && { widget_name: widget.name, identifier: widget.id }),
  };
}

/** The origin of a new conversation (decision 45): the page, or the channel; nothing when the page is unknown. */
export function firstSource({ conversation: { channel, first_page_url } }: OfConversation): { source?: string } {
  const source = traitsOf(channel).byWidget ? first_page_url : channel;
  return source ? { source } : {};
}

export const seenNumber = ({ conversation: row }: OfConversation) => ({ seen_number: row.visitor_seen_number });
export const readNumber = ({ conversation: row }: OfConversation) => ({ read_number: row.team_seen_number });
export const rating = ({ conversation: row }: OfConversation) => ({ rating: row.rating, comment: row.rating_comment });
export const until = ({ conversation: row }: OfConversation) => ({ until: isoTimeOrNull(row.snoozed_until) });
export const speaker = ({ conversation: row }: OfConversation) => ({ speaker: row.speaker });
export const handoffReason = ({ reason }: FactsOf<"handoff.requested">) => ({ ...(reason && { reason }) });

// Visitors

export const visitor = ({ contact }: OfContact) => ({ visitor: shownVisitor(contact) });

export const movedTo = ({ to }: FactsOf<"visitor-session.moved">) => ({ moved_to: to ? shownVisitor(to) : null });

function shownVisitor(row: OfContact["contact"]) {
  return { id: row.id, ...(row.name && { name: row.name }), email: row.email, phone: row.phone };
}

/** One pair (decision 46). A computed name is always a plain one, `__proto__` too. */
export const customData = ({
  customData: { name, value },
}: FactsOf<"custom.data.assigned" | "custom.data.removed">) => ({
  custom_data: { [name]: value },
});

export const changedDetails = ({ previous, current, source }: FactsOf<"contact.updated">) => ({
  updated_fields: Object.keys(current),
  previous_values: previous,
  current_values: current,
  ...(source && { source }),
});

// Agents

export const agent = ({ agent: row }: OfAgent) => ({ agent: agentName(row) });
export const agentWithEmail = ({ agent: row }: OfAgent) => ({ agent: { ...agentName(row), email: row.email } });
export const agentWithRole = ({ agent: row }: OfAgent) => ({
  agent: { ...agentName(row), email: row.email, role: row.role },
});
export const agentProfile = ({ agent: row }: OfAgent) => ({
  agent: {
    ...agentName(row),
    email: row.email,
    role: row.role,
    status: row.status,
    availability: row.availability,
    profile_photo_url: row.profile_photo_url,
  },
});

function agentName(row: AgentRow) {
  return { id: row.id, name: row.name ?? row.email };
}

// Tags, custom fields, articles

type OfTag = FactsOf<"tag.created" | "tag.updated" | "tag.deleted">;

export const tag = ({ tag: row }: OfTag) => ({ tag: shownTag(row) });
export const tagBefore = ({ before }: FactsOf<"tag.updated">) => ({
  before: { name: before.name, color: before.color },
});
export const mergedInto = ({ mergedInto }: FactsOf<"tag.deleted">) => ({
  merged_into: mergedInto ? shownTag(mergedInto) : null,
});
export const tagName = ({ tag: row }: FactsOf<"tag.assigned" | "tag.removed">) => ({ tag: { name: row.name } });

function shownTag({ id, name, color }: OfTag["tag"]) {
  return { id, name, color };
}

type OfField = FactsOf<"custom-field.created" | "custom-field.updated" | "custom-field.deleted">;

export const field = ({ field: row }: OfField) => ({ custom_field: { id: row.id, name: row.name } });
export const fieldBefore = ({ before }: FactsOf<"custom-field.updated">) => ({ before: { name: before.name } });

export const article = ({ article: row }: FactsOf<"article.created" | "article.updated" | "article.removed">) => ({
  article: { id: row.id, question: row.question, is_published: row.is_published === 1 },
});
export const updatedFields = ({ updatedFields }: FactsOf<"article.updated">) => ({ updated_fields: updatedFields });

// Settings and access

export const widget = ({ widget: row }: FactsOf<"widget.created" | "widget.updated" | "widget.removed">) => ({
  widget: { id: row.id, name: row.name },
});
/** A test shows an event as the catalogue's example has it. */
export const example = ({ shows }: FactsOf<"webhook.tested">) => events[shows].example;
export const webhook = ({ webhook: row }: FactsOf<"webhook.created" | "webhook.updated" | "webhook.deleted">) => ({
  webhook: { id: row.id, name: row.name },
});
export const channel = ({ account }: FactsOf<"channel.created" | "channel.updated" | "channel.deleted">) => ({
  channel: { id: account.id, channel: account.channel, state: account.state },
});
export const apiKey = ({ key }: FactsOf<"api-key.created" | "api-key.revoked">) => ({ api_key: key });
export const assistant = ({ assistant: row }: FactsOf<"assistant.created" | "assistant.updated">) => ({
  assistant: { id: row.id, name: row.name, state: row.state },
});
export const team = ({ team: row }: FactsOf<"team.created" | "team.updated">) => ({
  team: { name: row.name, api_access: row.api_access === 1 },
});

// Privacy

export const erased = ({ erased: { contactId, conversationIds } }: FactsOf<"erasure.started">) => ({
  visitor: { id: contactId },
  conversation_ids: conversationIds,
});
export const textsErased = ({ contact, erasedTexts }: FactsOf<"conversation.texts-erased">) => ({
  visitor: { id: contact.id },
  conversation: { id: erasedTexts.conversationId },
  up_to: erasedTexts.upTo,
});
export const filesErased = ({ contact, erasedFiles }: FactsOf<"conversation.files-erased">) => ({
  visitor: { id: contact.id },
  conversation: { id: erasedFiles.conversationId },
  message_ids: erasedFiles.messageIds,
});
export const sentOutside = ({ contact, sentOutside }: FactsOf<"message.delivery-changed">) => ({
  message: { id: sentOutside.messageId },
  conversation: { id: sentOutside.conversationId },
  visitor: { id: contact.id },
});
export const erasedContact = ({ contactId, erasedAt }: FactsOf<"contact.erased">) => ({
  visitor: { id: contactId },
  erased_at: isoTime(erasedAt),
});
/** Ids alone: the line of the audit log outlives the conversation. */
export const redacted = ({ message, conversation, reason }: FactsOf<"message.redacted">) => ({
  message: { id: message.id },
  conversation: { id: conversation.id },
  ...(reason !== undefined && { reason }),
});
