import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Ends a handoff: assistants may reply in the conversation again (decision 58). Without a handoff nothing changes, and no event
 * is recorded.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const returnToAssistant: Operation<{ conversationId: string; by?: NamedDoer | undefined }, ConversationRow> = {
  name: "return-to-assistant",
  mode: "write",
  async run(ctx, { conversationId, by }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    const endedBy = await doer(ctx, by);
    if (before.handoff_requested_at === null) return before;

    const conversation: ConversationRow = { ...before, handoff_requested_at: null };
    ctx.write(updateConversation, conversation);
    ctx.record({ name: "handoff.ended", conversation, ...people, endedBy });
    return conversation;
  },
};
