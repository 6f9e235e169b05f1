import { addNote, listConversationMessages, sendMessage } from "@frontdesk/core/contract/tools/messages";
import type { WrittenMessage } from "../conversations/add-message.ts";
import { addNote as noteOperation } from "../conversations/add-note.ts";
import { readMessages } from "../conversations/read-messages.ts";
import { sendMessage as replyOperation } from "../conversations/send-message.ts";
import { isoTime } from "../timestamp.ts";
import { fitting } from "./fitting.ts";
import { presentToolMessage } from "./present-tool-conversation.ts";
import { serve } from "./served-tool.ts";

export const messageTools = [
  serve(
    listConversationMessages,
    readMessages,
    ({ conversation_id, limit, before_sort_number, include_system_messages, include_internal_messages }) => ({
      conversationId: conversation_id,
      limit,
      beforeSortNumber: before_sort_number,
      includeSystem: include_system_messages,
      includeInternal: include_internal_messages,
    }),
    ({ conversation, rows, nextBeforeSortNumber }, { limit }) => {
      const messages = fitting(rows.map(presentToolMessage));
      // What does not fit is on the next page, which then begins earlier.
      const cut = messages.length < rows.length ? String(messages.at(-1)?.sort_number) : null;
      const next = cut ?? nextBeforeSortNumber;
      return {
        conversation_id: conversation.id,
        messages,
        pagination: { limit, has_more: next !== null, next_before_sort_number: next },
      };
    },
  ),
  serve(
    sendMessage,
    replyOperation,
    ({ conversation_id, content }) => ({
      conversationId: conversation_id,
      type: "message" as const,
      content,
      agentId: undefined,
      attachments: [],
    }),
    (written) => ({ message: { ...presentWritten(written), type: "message" as const } }),
  ),
  serve(
    addNote,
    noteOperation,
    ({ conversation_id, content }) => ({ conversationId: conversation_id, content }),
    (written) => ({ note: presentWritten(written) }),
  ),
];

function presentWritten({ message: { id, conversation_id, content, created_at } }: WrittenMessage) {
  return { id, conversation_id, content: content ?? "", created_at: isoTime(created_at) };
}
