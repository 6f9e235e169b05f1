import type { ListedMessage, Message, VisitorMessage } from "@frontdesk/core/contract";
import type { MessageRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";
import type { WrittenMessage } from "./add-message.ts";
import type { ListedMessageRow } from "./message-store.ts";

type Attributes = Required<ListedMessage["attributes"]>;

/** How each attribute of a listed message is made (specification, "Message"; decisions 5, 6, 12). */
const attributes: { [Name in keyof Attributes]: (row: ListedMessageRow) => Attributes[Name] } = {
  origin: (row) => row.origin as Attributes["origin"],
  content: (row) => row.content ?? "",
  type: (row) => row.type as Attributes["type"],
  conversation_id: (row) => row.conversation_id,
  created_at: (row) => isoTime(row.created_at),
  chat_contact_id: (row) => row.contact_id,
  agent: (row) => (row.agent_id ? { id: row.agent_id, name: row.agent_name } : null),
  contact: (row) => (row.contact_id ? { id: row.contact_id, name: row.contact_name } : null),
};

/** A message of a list, with the attributes that were asked for. */
export function presentListedMessage(row: ListedMessageRow, fields: readonly (keyof Attributes)[]): ListedMessage {
  return {
    type: "messages",
    id: row.id,
    attributes: Object.fromEntries(fields.map((field) => [field, attributes[field](row)])),
  };
}

/** The answer to POST /messages. */
export function presentAgentMessage({ message, contact, agent }: WrittenMessage): Message {
  return {
    type: "messages",
    id: message.id,
    attributes: {
      conversation_id: message.conversation_id,
      contact_id: contact.id,
      agent: agent ? { id: agent.id, name: agent.name } : null,
      contact: { id: contact.id, name: contact.name },
      ...common(message),
    },
  };
}

/** The answer to POST /conversations, which spells the contact differently and tells more of it. */
export function presentVisitorMessage({ message, contact, agent }: WrittenMessage): VisitorMessage {
  const { id, name, email, phone } = contact;
  return {
    type: "messages",
    id: message.id,
    attributes: {
      conversation_id: message.conversation_id,
      chat_contact_id: id,
      agent: agent ? { id: agent.id, name: agent.name } : null,
      contact: { id, name, email, phone },
      ...common(message),
    },
  };
}

function common(message: MessageRow) {
  return {
    origin: message.origin as Attributes["origin"],
    content: message.content ?? "",
    type: message.type as Attributes["type"],
    created_at: isoTime(message.created_at),
  };
}
