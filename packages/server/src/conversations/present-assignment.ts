import type { Assignment } from "@frontdesk/core/contract";
import type { AgentRow, ConversationRow } from "../storage/tables.ts";

/** An assignment as the REST API shows it; within a conversation its id is the agent's (decision A56). */
export function presentAssignment({
  conversation,
  agent: { id, name },
}: {
  conversation: Pick<ConversationRow, "id">;
  agent: Pick<AgentRow, "id" | "name">;
}): Assignment {
  return { type: "assignment", id, attributes: { conversation_id: conversation.id, agent: { id, name } } };
}
