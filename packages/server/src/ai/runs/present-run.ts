import type { AiRun } from "@frontdesk/core/contract/rest/ai-runs";
import type { AiOutcome } from "@frontdesk/core/domain/ai/ai-settings";
import { isoTime } from "../../timestamp.ts";
import type { ShownRun } from "./open-run.ts";

export function presentAiRun({ row, calls, searches, rule }: ShownRun): AiRun {
  return {
    type: "ai-runs",
    id: row.id,
    attributes: {
      conversation_id: row.conversation_id,
      message_id: row.message_id,
      outcome: row.outcome as AiOutcome,
      reason: row.reason,
      rule,
      sources: JSON.parse(row.sources),
      calls,
      searches,
      tokens_in: row.tokens_in,
      tokens_out: row.tokens_out,
      milliseconds: row.milliseconds,
      created_at: isoTime(row.created_at),
    },
  };
}
