import {
  handoffToHuman,
  resolveConversation,
  unresolveConversation,
} from "@frontdesk/core/contract/tools/conversation-status";
import { changeSeveral } from "../assistants/change-several.ts";
import { planStatusChange } from "../assistants/plans.ts";
import { requestHandoff } from "../conversations/request-handoff.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { presentQueued } from "./present-queued.ts";
import { serve, serveConfirmed } from "./served-tool.ts";

const setStatusOfSeveral = changeSeveral(setConversationStatus);

export const conversationStatusTools = [
  serveConfirmed(
    resolveConversation,
    setStatusOfSeveral,
    planStatusChange("resolved"),
    ({ conversation_ids }) => toStatus(conversation_ids, "resolved"),
    (changed) => presentQueued(changed, (resolved_conversation_ids) => ({ resolved_conversation_ids })),
  ),
  serveConfirmed(
    unresolveConversation,
    setStatusOfSeveral,
    planStatusChange("unresolved"),
    ({ conversation_ids }) => toStatus(conversation_ids, "unresolved"),
    (changed) => presentQueued(changed, (unresolved_conversation_ids) => ({ unresolved_conversation_ids })),
  ),
  serve(
    handoffToHuman,
    requestHandoff,
    ({ conversation_id }) => ({ conversationId: conversation_id }),
    ({ id }) => ({ conversation_id: id, status: "handoff_requested" as const }),
  ),
];

function toStatus(conversationIds: readonly string[], status: "resolved" | "unresolved") {
  return { conversationIds, rest: { status, agentId: undefined } };
}
