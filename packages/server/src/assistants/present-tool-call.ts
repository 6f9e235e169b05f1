import type { AssistantCall } from "@frontdesk/core/contract";
import type { ToolCallRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";
import type { CallOutcome } from "./log-tool-calls.ts";

/** A line of the call log as the REST API shows it. */
export function presentToolCall(row: ToolCallRow): AssistantCall {
  return {
    type: "tool-call",
    id: row.id,
    attributes: {
      tool: row.tool,
      arguments: objectIn(row.arguments),
      outcome: row.outcome as CallOutcome,
      message: row.message,
      duration_ms: row.duration_ms,
      called_at: isoTime(row.called_at),
    },
  };
}

/** The arguments may have been anything; invalid ones were refused, and are in the log all the same. */
function objectIn(text: string): Record<string, unknown> {
  const given: unknown = JSON.parse(text);
  return typeof given === "object" && given !== null && !Array.isArray(given) ? { ...given } : { given };
}
