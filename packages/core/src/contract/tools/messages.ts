/** The tools on messages and notes (spec, "Assistant tool interface"; decision 69). */
import { Type } from "typebox";
import { answer, ids, moments } from "../examples.ts";
import { CONTENT_MAX, text, timestamp, uuid } from "../fields.ts";
import { CHANGES, REACHES_OUT, READS, type Tool } from "../tool.ts";
import { writtenMessage } from "../tool-examples.ts";
import { defaulted, limit, toolInput } from "../tool-fields.ts";
import { ToolMessage, ToolMessagePagination } from "../tool-resources.ts";

/** The digits of any safe integer. A value that is not a number is refused by the operation, which says where to get one. */
const CURSOR_MAX = 15;

export const listConversationMessages = {
  name: "list-conversation-messages",
  title: "List the messages of a conversation",
  description:
    "Lists the messages of one conversation, newest first, up to 100 a call. Older ones follow when next_before_sort_number is passed as before_sort_number. System messages and internal notes come only when they are asked for.",
  permission: "read_conversation_messages",
  annotations: READS,
  input: toolInput({
    conversation_id: uuid,
    limit: defaulted(limit({ default: 50, max: 100 })),
    before_sort_number: Type.Optional(Type.String({ maxLength: CURSOR_MAX })),
    include_system_messages: defaulted(Type.Boolean({ default: false })),
    include_internal_messages: defaulted(Type.Boolean({ default: false })),
  }),
  output: Type.Object({
    conversation_id: uuid,
    messages: Type.Array(ToolMessage),
    pagination: ToolMessagePagination,
  }),
  performs: "read-messages",
  example: {
    input: { conversation_id: ids.conversation, limit: 50, before_sort_number: "2" },
    output: {
      conversation_id: ids.conversation,
      messages: [writtenMessage],
      pagination: { limit: 50, has_more: false, next_before_sort_number: null },
    },
  },
} as const satisfies Tool;

const said = toolInput({ conversation_id: uuid, content: text(CONTENT_MAX, { minLength: 1 }) });

export const sendMessage = {
  name: "send-message",
  title: "Send a reply",
  description:
    "Sends a reply to the visitor in the name of the agent who is set for this connection; every call sends another one. It is refused while a human handoff is requested and in a resolved conversation. For text that only the team sees, there is add-note.",
  permission: "send_replies",
  annotations: REACHES_OUT,
  input: said,
  output: Type.Object({
    message: Type.Object({
      id: uuid,
      conversation_id: uuid,
      content: Type.String(),
      type: Type.Literal("message"),
      created_at: timestamp,
    }),
  }),
  performs: "send-message",
  example: {
    input: { conversation_id: ids.conversation, content: answer },
    output: {
      message: {
        id: ids.reply,
        conversation_id: ids.conversation,
        content: answer,
        type: "message",
        created_at: moments.answered,
      },
    },
  },
} as const satisfies Tool;

const observation = "Asked about shipping for the second time this week.";

export const addNote = {
  name: "add-note",
  title: "Add a note",
  description:
    "Keeps an internal note in a conversation, in the name of the user who made this connection. The visitor never sees it; a reply is sent by send-message.",
  permission: "add_notes",
  annotations: CHANGES,
  input: said,
  output: Type.Object({
    note: Type.Object({ id: uuid, conversation_id: uuid, content: Type.String(), created_at: timestamp }),
  }),
  performs: "add-note",
  example: {
    input: { conversation_id: ids.conversation, content: observation },
    output: {
      note: {
        id: ids.reply,
        conversation_id: ids.conversation,
        content: observation,
        created_at: moments.answered,
      },
    },
  },
} as const satisfies Tool;
