/** The REST operations on conversations (spec, "Endpoints"; decisions 3, 4, 11, 67, 68). */
import { Type } from "typebox";
import { type StatusWord, statusWords } from "../../domain/conversation.ts";
import { answer, ids, listOfOne, moments, question } from "../examples.ts";
import {
  choice,
  email,
  fieldsQuery,
  idOf,
  messageContent,
  NAME_MAX,
  nullable,
  pageQuery,
  phone,
  text,
} from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import {
  Conversation,
  conversationFields,
  dataOf,
  ListedConversation,
  listOf,
  Message,
  messageAndDataOf,
  VisitorMessage,
} from "../resources.ts";
import { writtenFields } from "./messages.ts";

const conversation = {
  type: "conversations",
  id: ids.conversation,
  attributes: { is_resolved: false, contact_id: ids.vera, unread_messages: 1, created_at: moments.wrote },
};

export const listConversations = {
  id: "listConversations",
  performs: "list-conversations",
  method: "GET",
  path: "/conversations/all",
  tag: "Conversations",
  summary: "List conversations",
  description:
    "Open conversations first, then by latest message activity. `contact_name`, `latest_message` and `agents` are returned only if `include_fields` names them.",
  query: Type.Object({ ...pageQuery({ default: 10, max: 100 }), ...fieldsQuery(conversationFields) }),
  responses: { 200: { description: "A page of conversations.", body: listOf(ListedConversation) } },
  errors: [422],
  example: {
    query: { page: 1, limit: 10, include_fields: "is_resolved,contact_name,latest_message,agents" },
    response: listOfOne(
      "/conversations/all",
      {
        ...conversation,
        attributes: {
          is_resolved: false,
          contact_name: "Vera",
          latest_message: {
            id: ids.message,
            content: question,
            type: "message",
            origin: "chat",
            created_at: moments.wrote,
          },
          agents: [{ id: ids.ada, name: "Ada", email: "ada@acme.example" }],
        },
      },
      10,
    ),
  },
} as const satisfies RestOperation;

export const sendVisitorMessage = {
  id: "sendVisitorMessage",
  performs: "receive-visitor-message",
  method: "POST",
  path: "/conversations",
  tag: "Conversations",
  summary: "Send a message as a visitor",
  description: `Sends a message as a visitor of a widget. No conversation ID is needed.

The contact is the first match of: the contact with \`contact_id\` on this widget; the most recent contact on this widget with this \`email\`; a new contact created from \`name\`, \`email\` and \`phone\`. An unknown \`contact_id\` is not an error and is never used as an ID. These fields never change an existing contact, but every field you send is validated.

The message joins the contact's most recent conversation, which is reopened if it was resolved. A contact without one gets a new conversation. With only \`widget_id\` and \`content\`, every call creates a new contact and a new conversation.`,
  body: Type.Object({
    widget_id: idOf("a widget of your team"),
    content: messageContent,
    contact_id: Type.Optional(nullable(idOf("a contact on this widget"))),
    name: Type.Optional(nullable(text(NAME_MAX, { description: "Saved only if a new contact is created." }))),
    email: Type.Optional(nullable(email)),
    phone: Type.Optional(nullable(phone)),
  }),
  responses: { 200: { description: "The message.", body: dataOf(VisitorMessage) } },
  errors: [404, 422],
  retrySafe: true,
  example: {
    body: { widget_id: ids.widget, content: question, name: "Vera", email: "vera@example.com" },
    response: {
      data: {
        type: "messages",
        id: ids.message,
        attributes: {
          conversation_id: ids.conversation,
          chat_contact_id: ids.vera,
          agent: null,
          contact: { id: ids.vera, name: "Vera", email: "vera@example.com", phone: "+4915112345678" },
          origin: "chat",
          content: question,
          type: "message",
          created_at: moments.wrote,
        },
      },
    },
  },
} as const satisfies RestOperation;

export const startMailConversation = {
  id: "startMailConversation",
  performs: "start-mail-conversation",
  method: "POST",
  path: "/conversations/outbound",
  tag: "Conversations",
  summary: "Start a conversation by email",
  description:
    "Sends an email to an address, in a new conversation. The contact is the one who writes from this address to this channel, or a new one. Text or at least one attachment is required. Without `agent_id`, the author is the agent who created the API key. The response doesn't wait for the mail server: `delivery` of the message tells how far it is.",
  body: Type.Object({
    channel_id: idOf("an email channel account"),
    to: email,
    name: Type.Optional(nullable(text(NAME_MAX, { description: "The recipient's name." }))),
    subject: text(NAME_MAX, { minLength: 1 }),
    ...writtenFields,
  }),
  responses: { 201: { description: "The message.", body: dataOf(Message) } },
  errors: [422],
  retrySafe: true,
  example: {
    body: {
      channel_id: ids.channel,
      to: "vera@example.com",
      name: "Vera",
      subject: "Your order",
      content: answer,
      agent_id: ids.ada,
    },
    response: {
      data: {
        type: "messages",
        id: ids.reply,
        attributes: {
          conversation_id: ids.conversation,
          contact_id: ids.vera,
          agent: { id: ids.ada, name: "Ada" },
          contact: { id: ids.vera, name: "Vera" },
          origin: "email",
          content: answer,
          type: "message",
          created_at: moments.answered,
        },
      },
    },
  },
} as const satisfies RestOperation;

export const readConversation = {
  id: "readConversation",
  performs: "read-conversation",
  method: "POST",
  path: "/conversations/{conversation_id}/read",
  tag: "Conversations",
  summary: "Mark a conversation as read",
  description:
    "Marks the conversation as read by the team, entirely or up to `sort_number`. `unread_messages` becomes the number of later messages from the visitor, and the visitor sees that the earlier ones were read. Read messages stay read. A repeated request changes nothing.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  body: Type.Object({
    sort_number: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "The number of the last message that was read, as reported by the live stream.",
      }),
    ),
  }),
  responses: { 200: { description: "The updated conversation.", body: messageAndDataOf(Conversation) } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: {},
    response: {
      message: "Conversation read.",
      data: { ...conversation, attributes: { ...conversation.attributes, unread_messages: 0 } },
    },
  },
} as const satisfies RestOperation;

export const markConversationUnread = {
  id: "markConversationUnread",
  performs: "mark-unread",
  method: "POST",
  path: "/conversations/{conversation_id}/unread",
  tag: "Conversations",
  summary: "Mark a conversation as unread",
  description:
    "Marks the conversation for attention: `unread_messages` becomes at least 1. Visitors do not see this. A repeated request changes nothing.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  responses: { 200: { description: "The updated conversation.", body: messageAndDataOf(Conversation) } },
  errors: [404],
  example: {
    params: { conversation_id: ids.conversation },
    response: { message: "Conversation marked as unread.", data: conversation },
  },
} as const satisfies RestOperation;

export const setConversationStatus = {
  id: "setConversationStatus",
  performs: "set-conversation-status",
  method: "POST",
  path: "/conversations/{conversation_id}/resolve",
  tag: "Conversations",
  summary: "Resolve or reopen a conversation",
  description:
    "Marks the conversation as resolved or unresolved. If it is already in that state, the response is the same and no second event is sent. `resolved_by` in the event is the agent named here, or else the agent who created the API key.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  body: Type.Object({
    agent_id: Type.Optional(idOf("the agent who does it; an unknown one is a validation error")),
    status: choice(Object.keys(statusWords) as StatusWord[], { description: "`open` means the same as `unresolved`." }),
  }),
  responses: { 200: { description: "The updated conversation.", body: messageAndDataOf(Conversation) } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: { agent_id: ids.ada, status: "resolved" },
    response: {
      message: "Conversation resolved.",
      data: { ...conversation, attributes: { ...conversation.attributes, is_resolved: true, unread_messages: 0 } },
    },
  },
} as const satisfies RestOperation;
