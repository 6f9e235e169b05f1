import { doer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";
import { isPutOff, woken } from "./snooze.ts";
import { followSnooze } from "./snooze-timer.ts";

/**
 * Brings back a conversation that was put off, on top of the others. One that is not put off stays as it is, and no event is
 * recorded.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const unsnoozeConversation: Operation<
  {
    conversationId: string;
    /** Only when it is put off until this moment: what was put off anew waits for another one. */
    until?: number | undefined;
  },
  ConversationRow
> = {
  name: "unsnooze-conversation",
  mode: "write",
  async run(ctx, { conversationId, until }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (!isPutOff(before) || (until !== undefined && before.snoozed_until !== until)) return before;
    const conversation: ConversationRow = { ...before, ...woken(ctx.now) };
    ctx.write(updateConversation, conversation);
    followSnooze(ctx, before, conversation);
    ctx.record({ name: "conversation.unsnoozed", conversation, ...people, endedBy: await doer(ctx, undefined) });
    return conversation;
  },
};
