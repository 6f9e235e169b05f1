import { doer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";
import { isSnoozed, woken } from "./snooze.ts";
import { followSnooze } from "./snooze-timer.ts";

/**
 * Returns a snoozed conversation to the open lists, at their top. One that is not snoozed stays unchanged, and no event is
 * recorded.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const unsnoozeConversation: Operation<
  {
    conversationId: string;
    /** Only when it is snoozed until this time: one that was snoozed again waits for another time. */
    until?: number | undefined;
  },
  ConversationRow
> = {
  name: "unsnooze-conversation",
  mode: "write",
  async run(ctx, { conversationId, until }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (!isSnoozed(before) || (until !== undefined && before.snoozed_until !== until)) return before;
    const conversation: ConversationRow = { ...before, ...woken(ctx.now) };
    ctx.write(updateConversation, conversation);
    followSnooze(ctx, before, conversation);
    ctx.record({ name: "conversation.unsnoozed", conversation, ...people, endedBy: await doer(ctx, undefined) });
    return conversation;
  },
};
