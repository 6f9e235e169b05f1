import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { aiStateAnew } from "@frontdesk/core/domain/ai/ai-state";
import type { ConversationStatus } from "@frontdesk/core/domain/conversation";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import { aiSteppedBack } from "../ai/outcomes/keep-ai-episode.ts";
import { speakerColumn } from "../ai/speaker/change-speaker.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { changeList } from "./conversation-lists.ts";
import { updateConversation } from "./conversation-store.ts";
import { nextEpisode } from "./episodes.ts";
import { findConversationWithPeople } from "./find-conversation.ts";
import { AWAKE } from "./snooze.ts";
import { followSnooze } from "./snooze-timer.ts";

/**
 * Resolves or reopens a conversation. Asking for its present status changes nothing and records no second event (decision 3).
 * Resolving ends a handoff (decision 58) and a snooze. Specification: POST /conversations/{conversation_id}/resolve.
 */
export const setConversationStatus: Operation<
  { conversationId: string; status: ConversationStatus } & NamedDoer,
  ConversationRow
> = {
  name: "set-conversation-status",
  mode: "write",
  async run(ctx, { conversationId, status, ...named }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    const by = await doer(ctx, named);
    if ((status === "resolved") === (before.is_resolved === 1)) return before;

    const conversation: ConversationRow =
      status === "resolved"
        ? {
            ...before,
            is_resolved: 1,
            resolved_at: ctx.now,
            resolved_by: JSON.stringify(by),
            handoff_requested_at: null,
            waiting_since: null,
            speaker: speakerColumn(before, { name: "resolved" }),
            ...AWAKE,
          }
        : {
            ...before,
            is_resolved: 0,
            resolved_at: null,
            resolved_by: null,
            reopened_at: ctx.now,
            speaker: speakerColumn(before, { name: "opened", isAiHere: false }),
            ai_state: aiStateAnew(before.ai_state, null),
            ...nextEpisode(before),
          };
    ctx.write(updateConversation, conversation);
    followSnooze(ctx, before, conversation);
    changeList(ctx, before, conversation);
    const about = { conversation, ...people };
    if (status === "resolved") {
      if (before.speaker === ("ai" satisfies Speaker)) aiSteppedBack(ctx, before, "closed");
      ctx.record({ name: "conversation.resolved", ...about, resolvedAt: ctx.now, resolvedBy: by });
      if (before.handoff_requested_at !== null) ctx.record({ name: "handoff.ended", ...about, endedBy: by });
    } else {
      ctx.record({ name: "conversation.reopened", ...about, reopenedBy: by });
    }
    return conversation;
  },
};
