/** The REST operation that sends a message again. */
import { Type } from "typebox";
import { answer, ids, moments } from "../examples.ts";
import { idOf } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { ListedMessage, messageAndDataOf } from "../resources.ts";

export const sendMessageAgain = {
  id: "sendMessageAgain",
  performs: "send-again",
  method: "POST",
  path: "/messages/{id}/send-again",
  tag: "Messages",
  summary: "Send a message again",
  description:
    "Queues a message again whose delivery has `failed` or is `unknown`. It's sent to the recipients it isn't known to have reached, the same in every byte. Earlier attempts stay in `attempts`.",
  params: Type.Object({ id: idOf("the message") }),
  responses: { 200: { description: "The message, with its delivery.", body: messageAndDataOf(ListedMessage) } },
  errors: [404, 422],
  example: {
    params: { id: ids.reply },
    response: {
      message: "The message is queued for sending.",
      data: {
        type: "messages",
        id: ids.reply,
        attributes: {
          origin: "email",
          content: answer,
          type: "message",
          conversation_id: ids.conversation,
          created_at: moments.answered,
          delivery: {
            state: "queued",
            reason: null,
            at: moments.answered,
            attempts: [{ at: moments.answered, state: "failed", reason: "The mail server refused it." }],
            recipients: [{ address: "vera@example.com", state: "queued", reason: null }],
          },
        },
      },
    },
  },
} as const satisfies RestOperation;
