import type { QueuedChange } from "@frontdesk/core/contract";
import type { QueuedChangeRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";

/** A queued change as the REST API shows it: the operation by the name of the tool that queued it (decision 60). */
export function presentQueuedChange(row: QueuedChangeRow): QueuedChange {
  const input = JSON.parse(row.input) as { status?: string; agentId?: string };
  return {
    type: "queued-change",
    id: row.id,
    attributes: {
      conversation_id: row.conversation_id,
      operation: toolOf(row.operation, input.status),
      agent_id: row.operation === "assign-agent" ? (input.agentId ?? null) : null,
      state: row.state as QueuedChange["attributes"]["state"],
      message: row.message,
      queued_at: isoTime(row.queued_at),
      ended_at: isoTimeOrNull(row.ended_at),
    },
  };
}

function toolOf(operation: string, status: string | undefined): QueuedChange["attributes"]["operation"] {
  if (operation === "assign-agent") return "assign-conversation";
  return status === "resolved" ? "resolve-conversation" : "unresolve-conversation";
}
