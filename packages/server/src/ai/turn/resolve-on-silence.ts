import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { Operation } from "../../context.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import type { FiredTimer } from "../../timers/timer.ts";
import { logRun, withoutCalls } from "../runs/log-run.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { resolveAsAi } from "./end-turn.ts";

/** The data of the timer `resolve-ai-silence`: the sort number of the answer that nothing has followed. */
export interface SilenceAfter {
  after: number;
}

/**
 * Run by the timer of a conversation after a cited answer of the AI: the visitor has been silent, so it is resolved. Nothing
 * happens when anything was written since, when another speaks, or when its owner does not want it any more.
 */
export const resolveOnSilence: Operation<FiredTimer<"resolve-ai-silence">, void> = {
  name: "resolve-ai-silence",
  mode: "write",
  async run(ctx, { subjectId, data }) {
    const [conversation, row] = await Promise.all([
      ctx.db.first(conversationById, { team_id: ctx.teamId, id: subjectId }),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
    ]);
    if (!conversation || row?.is_active !== 1 || row.resolves !== 1 || row.resolve_after_minutes === null) return;
    const isSilent = conversation.last_message_number === data.after;
    if (!isSilent || conversation.is_resolved === 1 || conversation.speaker !== ("ai" satisfies Speaker)) return;
    await resolveAsAi(ctx, conversation, row, "assumed");
    const ended = { outcome: "resolved", reason: "silence" } as const;
    const log = withoutCalls(ctx.now);
    logRun(ctx, conversation, { id: ctx.newId(), ...ended, row, messageId: null, sources: [], log });
  },
};
