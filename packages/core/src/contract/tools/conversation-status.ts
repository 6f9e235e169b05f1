/** Tools that change a conversation's status (spec, "Assistant tool interface", "States and transitions"; decisions 53, 58). */
import { Type } from "typebox";
import { ids } from "../examples.ts";
import { uuid } from "../fields.ts";
import { CHANGES, DESTROYS, type Tool } from "../tool.ts";
import { exampleToken } from "../tool-examples.ts";
import { CONFIRMATION_SENTENCE, confirmationToken, conversationIds, toolInput } from "../tool-fields.ts";
import { ConfirmationRequired, oneShapeOf, Queued } from "../tool-resources.ts";

export const resolveConversation = {
  name: "resolve-conversation",
  title: "Resolve conversations",
  description: `Marks 1 to 100 conversations as resolved; two or more are queued. unresolve-conversation opens them again. ${CONFIRMATION_SENTENCE}`,
  permission: "resolve_conversations",
  annotations: DESTROYS,
  input: toolInput({ conversation_ids: conversationIds, confirmation_token: confirmationToken }),
  output: oneShapeOf(ConfirmationRequired, Type.Object({ resolved_conversation_ids: Type.Array(uuid) }), Queued),
  confirmed: true,
  performs: "set-conversation-status",
  example: {
    input: { conversation_ids: [ids.conversation], confirmation_token: exampleToken },
    output: { resolved_conversation_ids: [ids.conversation] },
  },
} as const satisfies Tool;

export const unresolveConversation = {
  name: "unresolve-conversation",
  title: "Reopen conversations",
  description: `Opens 1 to 100 resolved conversations again; two or more are queued. ${CONFIRMATION_SENTENCE}`,
  permission: "unresolve_conversations",
  annotations: CHANGES,
  input: toolInput({ conversation_ids: conversationIds, confirmation_token: confirmationToken }),
  output: oneShapeOf(ConfirmationRequired, Type.Object({ unresolved_conversation_ids: Type.Array(uuid) }), Queued),
  confirmed: true,
  performs: "set-conversation-status",
  example: {
    input: { conversation_ids: [ids.conversation, ids.otherConversation], confirmation_token: exampleToken },
    output: {
      queued: true,
      queued_conversation_ids: [ids.conversation, ids.otherConversation],
      skipped_conversation_ids: [],
    },
  },
} as const satisfies Tool;

export const handoffToHuman = {
  name: "handoff-to-human",
  title: "Hand over to a human",
  description:
    "Asks for a human agent to take over a conversation. Until the handoff is cleared, send-message is refused there.",
  permission: "request_human_handoff",
  annotations: CHANGES,
  input: toolInput({ conversation_id: uuid }),
  output: Type.Object({ conversation_id: uuid, status: Type.Literal("handoff_requested") }),
  performs: "request-handoff",
  example: {
    input: { conversation_id: ids.conversation },
    output: { conversation_id: ids.conversation, status: "handoff_requested" },
  },
} as const satisfies Tool;
