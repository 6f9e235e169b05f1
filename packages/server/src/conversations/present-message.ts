import type { ListedMessage, Message, VisitorMessage } from "@frontdesk/core/contract";
import type { MessageDelivery } from "../channels/message-delivery.ts";
import type { MailRow, MessageRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";
import type { WrittenMessage } from "./add-message.ts";
import type { ListedMessageWithNames } from "./list-messages.ts";

type Attributes = Required<ListedMessage["attributes"]>;

/** How each attribute of a listed message is made (specification, "Message"; decisions 5, 6, 12). */
const attributes: { [Name in keyof Attributes]: (row: ListedMessageWithNames) => Attributes[Name] } = {
  origin: ({ message }) => message.origin as Attributes["origin"],
  content: ({ message }) => message.content ?? "",
  type: ({ message }) => message.type as Attributes["type"],
  conversation_id: ({ message }) => message.conversation_id,
  created_at: ({ message }) => isoTime(message.created_at),
  chat_contact_id: ({ message }) => message.contact_id,
  agent: ({ message, agentName }) => (message.agent_id ? { id: message.agent_id, name: agentName } : null),
  contact: ({ message, contactName }) => (message.contact_id ? { id: message.contact_id, name: contactName } : null),
  delivery: ({ delivery }) => delivery && presentDelivery(delivery),
  email: ({ email }) => email && presentEmail(email),
};

function presentEmail({ sender, recipients, subject, header_id }: MailRow): NonNullable<Attributes["email"]> {
  const { to, cc } = JSON.parse(recipients);
  return { from: sender === null ? null : JSON.parse(sender), to, cc, subject, message_id: header_id };
}

/** With sentences alone. */
const presentDelivery = ({ state, reason, at, attempts, recipients }: MessageDelivery) => ({
  ...{ state, reason, at: isoTime(at) },
  attempts: attempts.map((each) => ({ at: isoTime(each.at), state: each.state, reason: each.reason })),
  ...(recipients && {
    recipients: recipients.map((to) => ({ address: to.address, state: to.state, reason: to.reason })),
  }),
});

/** A message of a list, with the requested attributes. */
export function presentListedMessage(
  row: ListedMessageWithNames,
  fields: readonly (keyof Attributes)[],
): ListedMessage {
  return {
    type: "messages",
    id: row.message.id,
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

/** The answer to POST /conversations, which names the contact differently and contains more of it. */
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
