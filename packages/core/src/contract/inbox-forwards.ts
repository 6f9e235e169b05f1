/** What the dashboard asks when an agent forwards an email (docs/decisions/0074-forwarding.md). */
import type { Static } from "typebox";
import { Type } from "typebox";
import { ATTACHMENTS_MAX, CONTENT_MAX, choice, EMAIL_MAX, text, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

/** The longest time to undo a forward. */
const HOLD_MAX_MS = 60_000;
/** An incoming email may have more attachments than a message of ours. */
const FILES_MAX = 50 * ATTACHMENTS_MAX;

/** `sent`: in a conversation of its own. `returned`: it could not be sent when it was due; a line in the conversation says so. */
const forwardStates = ["held", "sent", "undone", "returned"] as const;

const ForwardedMail = Type.Object({ state: choice(forwardStates) });
export type ForwardedMail = Static<typeof ForwardedMail>;

const ofConversation = Type.Object({ conversation_id: Type.String() });

export const forwardOperations = {
  /** Sends an email of the conversation on to an outside address, after `hold_ms` unless it is undone. A repeat changes nothing. */
  forwardMail: {
    method: "POST",
    path: "/conversations/{conversation_id}/forwards",
    params: ofConversation,
    body: Type.Object({
      /** Chosen by the browser, the same when the request is sent again. */
      client_id: uuid,
      message_id: uuid,
      to: text(EMAIL_MAX),
      content: text(CONTENT_MAX),
      /** The positions of its attachments that go along; the first is 1. */
      files: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: FILES_MAX }),
      hold_ms: Type.Integer({ minimum: 0, maximum: HOLD_MAX_MS }),
    }),
    responses: { 200: { body: ForwardedMail } },
  },
  /** It is not sent, also when it arrives later than this request. `sent`: it is too late. */
  undoForward: {
    method: "DELETE",
    path: "/conversations/{conversation_id}/forwards",
    params: ofConversation,
    query: Type.Object({ client_id: uuid }),
    responses: { 200: { body: ForwardedMail } },
  },
} as const satisfies Record<string, HttpOperation>;
