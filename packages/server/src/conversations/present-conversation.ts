import type { Conversation, ListedConversation } from "@frontdesk/core/contract";
import { isoTime } from "../timestamp.ts";
import type { ShownConversationRow } from "./conversation-store.ts";
import type { ListedConversationRow } from "./list-conversations.ts";
import type { ListedMessageRow } from "./message-store.ts";

type Attributes = Required<ListedConversation["attributes"]>;

/** How each attribute of a conversation is made (specification, "Conversation"; decision 11). */
const attributes: { [Name in keyof Attributes]: (row: ListedConversationRow) => Attributes[Name] } = {
  is_resolved: ({ conversation }) => conversation.is_resolved === 1,
  contact_id: ({ conversation }) => conversation.contact_id,
  unread_messages: ({ conversation }) => conversation.unread_messages,
  created_at: ({ conversation }) => isoTime(conversation.created_at),
  contact_name: ({ contactName }) => contactName,
  latest_message: ({ latestMessage }) => (latestMessage ? presentLatestMessage(latestMessage) : null),
  agents: ({ agents }) => agents.map(({ id, name, email }) => ({ id, name, email })),
};

/** A conversation with the requested attributes. */
export function presentListedConversation(
  row: ListedConversationRow,
  fields: readonly (keyof Attributes)[],
): ListedConversation {
  return {
    type: "conversations",
    id: row.conversation.id,
    attributes: Object.fromEntries(fields.map((field) => [field, attributes[field](row)])),
  };
}

/** A conversation with its default attributes. */
export function presentConversation(conversation: ShownConversationRow): Conversation {
  return {
    type: "conversations",
    id: conversation.id,
    attributes: {
      is_resolved: conversation.is_resolved === 1,
      contact_id: conversation.contact_id,
      unread_messages: conversation.unread_messages,
      created_at: isoTime(conversation.created_at),
    },
  };
}

function presentLatestMessage(message: ListedMessageRow) {
  return {
    id: message.id,
    content: message.content ?? "",
    type: message.type as NonNullable<Attributes["latest_message"]>["type"],
    origin: message.origin as NonNullable<Attributes["latest_message"]>["origin"],
    created_at: isoTime(message.created_at),
  };
}
