import type { Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { type TeamMessage, withWhatTheTeamSees } from "../conversations/team-message.ts";
import { countersOf } from "../teams/team-counters.ts";
import { threadAfter, threadBefore } from "./thread-store.ts";

export interface ThreadPage {
  /** Oldest first, system lines too. */
  messages: TeamMessage[];
  hasBefore: boolean;
  hasAfter: boolean;
  /** Of the team's log: everything up to it is in the page. */
  number: number;
}

/**
 * Messages of a conversation as the team sees them: the newest, or those before or after a sort number. Nothing is read by
 * it; that is `read-conversation`.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const readThread: Operation<
  { conversationId: string; before: number | undefined; after: number | undefined; limit: number },
  ThreadPage
> = {
  name: "read-thread",
  mode: "read",
  async run(ctx, { conversationId, before = Number.MAX_SAFE_INTEGER, after, limit }) {
    const conversation = await findConversation(ctx, conversationId);
    const of = { team_id: ctx.teamId, conversation_id: conversation.id, limit };
    const [{ event_number: number }, rows] = await Promise.all([
      countersOf(ctx),
      after === undefined
        ? ctx.db.all(threadBefore, { ...of, before }).then((newestFirst) => newestFirst.reverse())
        : ctx.db.all(threadAfter, { ...of, after }),
    ]);
    const messages = await withWhatTheTeamSees(ctx, rows);
    // The numbers of a conversation have no gap.
    const first = rows[0]?.sort_number ?? Math.min(before, (after ?? conversation.last_sort_number) + 1);
    const last = rows.at(-1)?.sort_number ?? first - 1;
    return { messages, hasBefore: first > 1, hasAfter: last < conversation.last_sort_number, number };
  },
};
