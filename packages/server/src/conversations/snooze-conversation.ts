import { invalid } from "@frontdesk/core/domain/refusal";
import { doer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/** Nobody plans further ahead than this. */
const LONGEST_MS = 366 * 24 * 60 * 60_000;

/** Until a moment (ms since the epoch), or until the visitor writes. */
export type SnoozeUntil = number | "reply";

/**
 * Puts an open conversation off: until then it is in nobody's work. It comes back at its time, by a stored job, and with
 * the visitor's next message (`snooze.ts` has the diagram). Putting off until the same again changes nothing.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `until`
 */
export const snoozeConversation: Operation<{ conversationId: string; until: SnoozeUntil }, ConversationRow> = {
  name: "snooze-conversation",
  mode: "write",
  async run(ctx, { conversationId, until }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (before.is_resolved === 1) throw invalid({ until: "This conversation is resolved. Please reopen it first." });
    if (until !== "reply" && (until <= ctx.now || until > ctx.now + LONGEST_MS)) {
      throw invalid({ until: "Must be a time to come, within a year." });
    }
    const snooze =
      until === "reply"
        ? { snoozed_until: null, snoozed_until_reply: 1 }
        : { snoozed_until: until, snoozed_until_reply: 0 };
    if (before.snoozed_until === snooze.snoozed_until && before.snoozed_until_reply === snooze.snoozed_until_reply) {
      return before;
    }
    const conversation: ConversationRow = { ...before, ...snooze, woken_at: null };
    ctx.write(updateConversation, conversation);
    ctx.record({ name: "conversation.snoozed", conversation, ...people, snoozedBy: await doer(ctx, undefined) });
    if (until !== "reply") {
      const payload = { teamId: ctx.teamId, conversationId: conversation.id, until };
      ctx.enqueue({ kind: "wake-conversation", payload, dueAt: until });
    }
    return conversation;
  },
};
