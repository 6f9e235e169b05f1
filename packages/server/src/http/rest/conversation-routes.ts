import {
  chooseFields,
  conversationDefaultFields,
  conversationFields,
  type FieldsQuery,
  rest,
} from "@frontdesk/core/contract";
import { statusWords } from "@frontdesk/core/domain/conversation";
import { listConversations } from "../../conversations/list-conversations.ts";
import { markUnread } from "../../conversations/mark-unread.ts";
import { presentConversation, presentListedConversation } from "../../conversations/present-conversation.ts";
import { presentAgentMessage, presentVisitorMessage } from "../../conversations/present-message.ts";
import { readConversation } from "../../conversations/read-conversation.ts";
import { receiveVisitorMessage } from "../../conversations/receive-visitor-message.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import { startMailConversation } from "../../email/out/start-mail-conversation.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

const fieldsOf = (query: FieldsQuery) => chooseFields(conversationFields, conversationDefaultFields, query);

export const conversationRoutes = [
  endpoint(
    rest.listConversations,
    listConversations,
    ({ query }) => {
      const fields = fieldsOf(query);
      return {
        ...pageOf(query),
        extras: {
          contactName: fields.includes("contact_name"),
          latestMessage: fields.includes("latest_message"),
          agents: fields.includes("agents"),
        },
      };
    },
    (listed, { url, query }) => {
      const fields = fieldsOf(query);
      return listBody(url, pageOf(query), listed, (row) => presentListedConversation(row, fields));
    },
  ),
  endpoint(
    rest.sendVisitorMessage,
    receiveVisitorMessage,
    ({ body: { widget_id, contact_id, content, name, email, phone } }) => ({
      widgetId: widget_id,
      contactId: contact_id,
      content,
      name,
      email,
      phone,
    }),
    (written) => ({ data: presentVisitorMessage(written) }),
  ),
  endpoint(
    rest.startMailConversation,
    startMailConversation,
    ({ body }) => ({
      channelId: body.channel_id,
      to: body.to,
      name: body.name,
      subject: body.subject,
      content: body.content,
      agentId: body.agent_id,
      attachments: body.attachments ?? [],
    }),
    (written) => ({ data: presentAgentMessage(written) }),
  ),
  endpoint(
    rest.setConversationStatus,
    setConversationStatus,
    ({ params, body }) => ({
      conversationId: params.conversation_id,
      status: statusWords[body.status],
      agentId: body.agent_id,
    }),
    (conversation) => ({
      message: conversation.is_resolved ? "Conversation resolved." : "Conversation reopened.",
      data: presentConversation(conversation),
    }),
  ),
  endpoint(
    rest.readConversation,
    readConversation,
    ({ params, body }) => ({ conversationId: params.conversation_id, sortNumber: body.sort_number }),
    (conversation) => ({ message: "Conversation read.", data: presentConversation(conversation) }),
  ),
  endpoint(
    rest.markConversationUnread,
    markUnread,
    ({ params }) => ({ conversationId: params.conversation_id }),
    (conversation) => ({ message: "Conversation marked as unread.", data: presentConversation(conversation) }),
  ),
];
