/** The REST operations on messages (spec, "Endpoints"; decisions 2, 6, 12, 19 to 22, 65). */
import { Type } from "typebox";
import { answer, ids, invoice, listOfOne, moments, question } from "../examples.ts";
import {
  ATTACHMENTS_MAX,
  attachmentUrl,
  CONTENT_MAX,
  choice,
  fieldsQuery,
  idOf,
  NAME_MAX,
  nullable,
  pageQuery,
  search,
  text,
} from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { dataOf, ListedMessage, listOf, Message, messageFields } from "../resources.ts";

export const listMessages = {
  id: "listMessages",
  performs: "list-messages",
  method: "GET",
  path: "/conversations/{conversation_id}/messages",
  tag: "Messages",
  summary: "List the messages of a conversation",
  description:
    "Newest first, including internal notes, without system messages. `delivery` and `email` are returned only if `include_fields` names them. `delivery` is null for messages that aren't sent outside, and `email` for those that aren't emails, such as all of the website.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  query: Type.Object({
    ...pageQuery({ default: 20, max: 20 }),
    ...fieldsQuery(messageFields),
    search: Type.Optional(search("Part of the text, whatever the case. Empty means all.")),
  }),
  responses: { 200: { description: "A page of messages.", body: listOf(ListedMessage) } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    query: { page: 1, limit: 20, search: "portugal" },
    response: listOfOne(
      `/conversations/${ids.conversation}/messages`,
      {
        type: "messages",
        id: ids.message,
        attributes: {
          origin: "chat",
          content: question,
          type: "message",
          conversation_id: ids.conversation,
          created_at: moments.wrote,
        },
      },
      20,
    ),
  },
} as const satisfies RestOperation;

/** What a request may call a message: a reply, or an internal note. Null and absent mean a message. */
export const sendableTypes = ["message", "note"] as const;

/** An attachment as it comes in (decision 19); in a webhook its `url` is `content` and its `name` is `original_file_name`. */
export const AttachmentInput = Type.Object({
  url: attachmentUrl,
  name: Type.Optional(nullable(text(NAME_MAX))),
  type: Type.Optional(nullable(text(NAME_MAX, { description: "Such as `image`, `file` or `video`." }))),
  mime: Type.Optional(nullable(text(NAME_MAX, { description: "Such as `image/png`." }))),
  size: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "In bytes." })),
  ),
});

/** What the team writes, in a reply and in a first mail. */
export const writtenFields = {
  content: Type.Optional(nullable(text(CONTENT_MAX, { description: "The text of the message." }))),
  agent_id: Type.Optional(nullable(idOf("the author; an unknown agent is a validation error"))),
  attachments: Type.Optional(nullable(Type.Array(AttachmentInput, { maxItems: ATTACHMENTS_MAX }))),
};

export const createMessage = {
  id: "createMessage",
  performs: "send-message",
  method: "POST",
  path: "/messages",
  tag: "Messages",
  summary: "Reply to a conversation",
  description:
    "Sends a reply, or adds an internal note that the visitor never sees. Text or at least one attachment is required. Without `agent_id`, the author is the agent who created the API key. A reply to a resolved conversation does not reopen it.",
  // "Text or an attachment" is asked by the operation: as a schema it would be an anyOf whose errors name no field.
  body: Type.Object({
    conversation_id: idOf("the conversation"),
    content: writtenFields.content,
    widget_id: Type.Optional(nullable(idOf("the widget. Optional; if you send it, it must be the conversation's own"))),
    type: Type.Optional(nullable(choice(sendableTypes, { description: "`message` if omitted or null." }))),
    agent_id: writtenFields.agent_id,
    attachments: writtenFields.attachments,
  }),
  responses: { 201: { description: "The message.", body: dataOf(Message) } },
  errors: [404, 422],
  retrySafe: true,
  example: {
    body: {
      conversation_id: ids.conversation,
      content: answer,
      type: "message",
      agent_id: ids.ada,
      attachments: [invoice],
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
          origin: "chat",
          content: answer,
          type: "message",
          created_at: moments.answered,
        },
      },
    },
  },
} as const satisfies RestOperation;
