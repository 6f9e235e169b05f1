import { invalid } from "@frontdesk/core/domain/refusal";
import { doer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";
import { visitorMessagesAfter } from "./message-store.ts";
import { followSnooze } from "./snooze-timer.ts";

/** The longest snooze. */
const LONGEST_MS = 366 * 24 * 60 * 60_000;

/** Until a moment (ms since the epoch), or until the visitor writes. */
export type SnoozeUntil = number | "reply";

/**
 * Snoozes an open conversation: until then it is in no open list. It returns at its time, by a stored timer, and with the
 * visitor's next message (`snooze.ts` has the diagram). The same snooze again changes nothing. A message that the agent has not
 * seen counts as the next message: then nothing is snoozed.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `until`, and on `after_numbers` when the visitor has written
 *   since `afterNumber`
 */
export const snoozeConversation: Operation<
  {
    conversationId: string;
    until: SnoozeUntil;
    /** The highest sort number that the agent has seen; undefined from a client that does not send it. */
    afterNumber?: number | undefined;
  },
  ConversationRow
> = {
  name: "snooze-conversation",
  mode: "write",
  async run(ctx, { conversationId, until, afterNumber }) {
    const { conversation: before, ...people } = await findConversationWithPeople(ctx, conversationId);
    if (before.is_resolved === 1) throw invalid({ until: "conversation-resolved" });
    if (until !== "reply" && (until <= ctx.now || until > ctx.now + LONGEST_MS)) {
      throw invalid({ until: "snooze-time" });
    }
    const snooze =
      until === "reply"
        ? { snoozed_until: null, snoozed_until_reply: 1 }
        : { snoozed_until: until, snoozed_until_reply: 0 };
    if (before.snoozed_until === snooze.snoozed_until && before.snoozed_until_reply === snooze.snoozed_until_reply) {
      return before;
    }
    if (afterNumber !== undefined) {
      const unseen = { team_id: ctx.teamId, conversation_id: before.id, after: afterNumber };
      const { total = 0 } = (await ctx.db.first(visitorMessagesAfter, unseen)) ?? {};
      if (total > 0) throw invalid({ after_numbers: "visitor-wrote-meanwhile" });
    }
    const conversation: ConversationRow = { ...before, ...snooze, woken_at: null };
    ctx.write(updateConversation, conversation);
    followSnooze(ctx, before, conversation);
    ctx.record({ name: "conversation.snoozed", conversation, ...people, snoozedBy: await doer(ctx, undefined) });
    return conversation;
  },
};
