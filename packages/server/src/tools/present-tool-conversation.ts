/** How tools show conversations and messages (specification, "Assistant tool interface"; docs/decisions/0015). */
import type {
  FoundConversation,
  SenderType,
  ToolConversation,
  ToolMessage,
  ToolPerson,
  WholeToolConversation,
} from "@frontdesk/core/contract/tool-resources";
import { traitsOf } from "@frontdesk/core/domain/channel";
import { senderOf } from "@frontdesk/core/domain/conversation";
import { countryOf } from "../contacts/contact-country.ts";
import type { BrowsedConversation, ConversationWithContact } from "../conversations/browse-conversations.ts";
import type { OpenedConversation } from "../conversations/open-conversation.ts";
import type { ReadMessage } from "../conversations/read-messages.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import { beginning } from "./fitting.ts";

type ListedMessage = NonNullable<BrowsedConversation["lastMessage"]>;

/** `{id, name, email}` of a contact or an agent. */
export function presentToolPerson({ id, name, email }: ToolPerson): ToolPerson {
  return { id, name, email };
}

/** A conversation of a list, with this many tokens of its last message. */
export function presentToolConversation(
  { conversation, contact, lastMessage }: BrowsedConversation,
  messageTokens: number,
): ToolConversation {
  const last = lastMessage && { ...lastMessage, content: beginning(lastMessage.content ?? "", messageTokens) };
  return { ...itself(conversation, last), contact: presentToolPerson(contact) };
}

/** One conversation, whole. */
export function presentWholeToolConversation({
  conversation,
  contact,
  agents,
  lastMessage,
  accountAddress,
}: OpenedConversation): WholeToolConversation {
  const { phone, language, timezone } = contact;
  const { country } = countryOf(contact);
  return {
    ...itself(conversation, lastMessage),
    contact: { ...presentToolPerson(contact), phone, country, language, timezone },
    assigned_agents: agents.map(presentToolPerson),
    message_count: conversation.message_count,
    social_account_identifier: accountAddress,
    external_identifier: conversation.external_identifier,
    resolved_by: conversation.resolved_by === null ? null : JSON.parse(conversation.resolved_by),
    reopened_at: isoTimeOrNull(conversation.reopened_at),
  };
}

/** A short form of a conversation that was found. */
export function presentFoundConversation({ conversation, contact }: ConversationWithContact): FoundConversation {
  return {
    id: conversation.id,
    email_subject: conversation.email_subject,
    origin: traitsOf(conversation.channel).origin,
    is_resolved: conversation.is_resolved === 1,
    contact: presentToolPerson(contact),
  };
}

export function presentToolMessage({ message, sender, attachments }: ReadMessage): ToolMessage {
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    sort_number: message.sort_number,
    sender: {
      type: senderOf(message) satisfies SenderType,
      id: sender?.id ?? null,
      name: sender?.name ?? null,
      email: sender?.email ?? null,
    },
    origin: message.origin as ToolMessage["origin"],
    type: message.type as ToolMessage["type"],
    content: message.content ?? "",
    urls: attachments.map(({ url }) => url),
    parent_id: null,
    is_system_message: message.type === "system",
    edited_at: null,
    created_at: isoTime(message.created_at),
    updated_at: isoTime(message.created_at),
  };
}

function itself(
  conversation: BrowsedConversation["conversation"],
  last: ListedMessage | undefined,
): Omit<ToolConversation, "contact"> {
  const { created_at, last_message_at, resolved_at, reopened_at } = conversation;
  const changes = [created_at, last_message_at, resolved_at ?? 0, reopened_at ?? 0];
  return {
    id: conversation.id,
    last_message: last ? presentLast(last) : null,
    widget_id: traitsOf(conversation.channel).byWidget ? conversation.widget_id : null,
    origin: traitsOf(conversation.channel).origin,
    origin_url: conversation.first_page_url,
    email_subject: conversation.email_subject,
    is_resolved: conversation.is_resolved === 1,
    resolved_at: isoTimeOrNull(resolved_at),
    // An end of its own, besides being resolved, comes with other channels.
    ended_at: null,
    created_at: isoTime(created_at),
    updated_at: isoTime(Math.max(...changes)),
  };
}

function presentLast(message: ListedMessage): NonNullable<ToolConversation["last_message"]> {
  return {
    id: message.id,
    content: message.content ?? "",
    type: message.type as NonNullable<ToolConversation["last_message"]>["type"],
    origin: message.origin as ToolConversation["origin"],
    sender_type: senderOf(message),
    created_at: isoTime(message.created_at),
  };
}
