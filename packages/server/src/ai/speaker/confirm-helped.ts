import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { readAiState } from "@frontdesk/core/domain/ai/ai-state";
import type { Operation } from "../../context.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { logRun, withoutCalls } from "../runs/log-run.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { resolveAsAi } from "../turn/end-turn.ts";
import { deleteTurn } from "../turn/turn-store.ts";

/**
 * "That helped", under an answer of the AI: resolves the visitor's conversation, where the AI speaks and its owner lets it resolve.
 * Else, a repeat included, nothing changes.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const confirmHelped: Operation<{ conversationId: string }, ConversationRow> = {
  name: "confirm-helped",
  mode: "write",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    const isAi = conversation.speaker === ("ai" satisfies Speaker) && conversation.is_resolved === 0;
    const hasAnswered = readAiState(conversation.ai_state).answers > 0;
    if (!isAi || !hasAnswered || row?.resolves !== 1) return conversation;
    ctx.write(deleteTurn, { team_id: ctx.teamId, conversation_id: conversation.id });
    await resolveAsAi(ctx, conversation, row, "confirmed");
    const ended = { outcome: "resolved", reason: "confirmed" } as const;
    const log = withoutCalls(ctx.now);
    logRun(ctx, conversation, { id: ctx.newId(), ...ended, row, messageId: null, sources: [], log });
    const after = await ctx.db.first(conversationById, { team_id: ctx.teamId, id: conversation.id });
    return after ?? conversation;
  },
};
