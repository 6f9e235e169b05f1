import { chooseFields, type FieldsQuery, messageDefaultFields, messageFields, rest } from "@frontdesk/core/contract";
import { sendAgain } from "../../channels/send-again.ts";
import { listMessages } from "../../conversations/list-messages.ts";
import { presentAgentMessage, presentListedMessage } from "../../conversations/present-message.ts";
import { sendMessage } from "../../conversations/send-message.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

const fieldsOf = (query: FieldsQuery) => chooseFields(messageFields, messageDefaultFields, query);

export const messageRoutes = [
  endpoint(
    rest.listMessages,
    listMessages,
    ({ params, query }) => {
      const fields = fieldsOf(query);
      return {
        ...pageOf(query),
        conversationId: params.conversation_id,
        search: query.search,
        withNames: fields.includes("agent") || fields.includes("contact"),
        withDelivery: fields.includes("delivery"),
        withEmail: fields.includes("email"),
      };
    },
    (listed, { url, query }) => {
      const fields = fieldsOf(query);
      return listBody(url, pageOf(query), listed, (row) => presentListedMessage(row, fields));
    },
  ),
  endpoint(
    rest.createMessage,
    sendMessage,
    ({ body }) => ({
      conversationId: body.conversation_id,
      widgetId: body.widget_id,
      type: body.type ?? "message",
      content: body.content,
      agentId: body.agent_id,
      attachments: body.attachments ?? [],
    }),
    (written) => ({ data: presentAgentMessage(written) }),
  ),
  endpoint(
    rest.sendMessageAgain,
    sendAgain,
    ({ params }) => ({ messageId: params.id }),
    (listed) => ({
      message: "The message is queued for sending.",
      data: presentListedMessage(listed, [...messageDefaultFields, "delivery"]),
    }),
  ),
];
