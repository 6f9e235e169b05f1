import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { aiStateAnew } from "@frontdesk/core/domain/ai/ai-state";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import { aiTakes } from "../ai/speaker/ai-takes.ts";
import { recordSpeaker, speakerColumn } from "../ai/speaker/change-speaker.ts";
import { queueWaiting } from "../ai/turn/queue-turn.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Ends a handoff: assistants may reply in the conversation again (decision 58). Where the team's own AI is set up, it speaks
 * again, and answers what waits; what it did before does not count any more. Where nothing changes, no event is recorded.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const returnToAssistant: Operation<{ conversationId: string; by?: NamedDoer | undefined }, ConversationRow> = {
  name: "return-to-assistant",
  mode: "write",
  async run(ctx, { conversationId, by }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    const endedBy = await doer(ctx, by);
    const isAiHere =
      before.is_resolved === 0 && before.speaker !== ("ai" satisfies Speaker) && (await aiTakes(ctx, before));
    if (before.handoff_requested_at === null && !isAiHere) return before;

    const speaker = isAiHere ? speakerColumn(before, { name: "returned", isAiHere }) : before.speaker;
    const conversation: ConversationRow = {
      ...before,
      handoff_requested_at: null,
      ...{ speaker, ai_state: isAiHere ? aiStateAnew(before.ai_state, null) : before.ai_state },
    };
    ctx.write(updateConversation, conversation);
    if (before.handoff_requested_at !== null) ctx.record({ name: "handoff.ended", conversation, ...people, endedBy });
    recordSpeaker(ctx, before, { conversation, ...people }, undefined);
    if (isAiHere) await queueWaiting(ctx, conversation);
    return conversation;
  },
};
