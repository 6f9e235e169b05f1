import { stepInReason } from "@frontdesk/core/domain/ai/ai-episode";
import { hindered } from "@frontdesk/core/domain/refusal";
import { doer } from "../agents/acting-agent.ts";
import { recordSpeaker, speakerColumn } from "../ai/speaker/change-speaker.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { waitingAfterHandoff } from "./episodes.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Asks for a person to take over a conversation: assistants do not reply there until the handoff is over (decision 58). A
 * repeat changes nothing, and no second event is recorded. A resolved conversation is refused: no agent works on it, so the
 * request would not be seen. Specification: the tool handoff-to-human.
 *
 * @throws Refusal `not-found` for the conversation, `obstacle` when it is resolved
 */
export const requestHandoff: Operation<{ conversationId: string }, ConversationRow> = {
  name: "request-handoff",
  mode: "write",
  async run(ctx, { conversationId }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (before.handoff_requested_at !== null) return before;
    if (before.is_resolved === 1) throw hindered("resolved");

    const change = { name: "handed-over" } as const;
    const conversation: ConversationRow = {
      ...before,
      handoff_requested_at: ctx.now,
      waiting_since: waitingAfterHandoff(before, ctx.now),
      speaker: speakerColumn(before, change),
    };
    ctx.write(updateConversation, conversation);
    ctx.record({ name: "handoff.requested", conversation, ...people, requestedBy: await doer(ctx, undefined) });
    recordSpeaker(ctx, before, { conversation, ...people }, stepInReason(change));
    return conversation;
  },
};
