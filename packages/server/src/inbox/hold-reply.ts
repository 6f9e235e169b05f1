import type { Context, Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { requireContent } from "../conversations/send-message.ts";
import { prepareReply } from "../email/out/reply-by-mail.ts";
import { deleteDraft } from "./draft-store.ts";
import { heldReply } from "./held-reply.ts";
import { type HeldState, putHeldReply } from "./held-reply-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { type InboxMessage, replyOfOthers, type SendOutcome, sentBefore, sentOutcome } from "./send-from-inbox.ts";

/**
 * The browser sends a held reply at its time. This much later the service does, for a browser that is gone: the two do not
 * compete.
 */
export const BROWSER_GONE_MS = 2_000;

export type HoldOutcome = SendOutcome | { outcome: "held" };

/**
 * Stores a reply that is sent later, unless the agent undoes it (docs/decisions/0052-undo-send.md). There is no message and no
 * event until then. It is refused as it would be by sending it.
 *
 * ```
 *   none --hold-reply--> held --send-from-inbox, or the timer--> sent: a message, and no row
 *    |                    | '--the timer, and the sending is refused--> returned: a draft again
 *    |                    | '--an email comes in (import-mail)--> returned-by-email: a draft again, that says so
 *    '------undo-reply----'--> undone: a draft again
 * ```
 * What is undone or returned is kept for a day, so that a request that comes late sends nothing. A repeat changes nothing.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `content`, `client_id` or `conversation_id`
 */
export const holdReply: Operation<InboxMessage & { holdMs: number }, HoldOutcome> = {
  name: "hold-reply",
  mode: "write",
  async run(ctx, { holdMs, ...reply }) {
    const agentId = inboxAgentId(ctx);
    const conversation = await findConversation(ctx, reply.conversationId);
    const { clientId } = reply;
    const [sent, held] = await Promise.all([
      sentBefore(ctx, conversation, agentId, clientId),
      heldReply(ctx, conversation, agentId, clientId),
    ]);
    if (sent) return sentOutcome(ctx, conversation, sent);
    if (held) return { outcome: held.state as HeldState };
    const overtaking = await replyOfOthers(ctx, conversation, agentId, reply);
    if (overtaking) return { outcome: "overtaken", reply: overtaking };
    requireContent(reply);
    if (reply.type === "message" && conversation.channel === "email") await prepareReply(ctx, conversation);
    hold(ctx, agentId, { ...reply, conversationId: conversation.id }, holdMs);
    return { outcome: "held" };
  },
};

function hold(ctx: Context, agentId: string, reply: InboxMessage, holdMs: number): void {
  const of = { team_id: ctx.teamId, agent_id: agentId, conversation_id: reply.conversationId };
  ctx.write(putHeldReply, {
    ...of,
    client_id: reply.clientId,
    state: "held" satisfies HeldState,
    reply: JSON.stringify(reply),
    created_at: ctx.now,
  });
  const dueAt = ctx.now + holdMs + BROWSER_GONE_MS;
  ctx.setTimer({ kind: "send-held-reply", subjectId: reply.clientId, dueAt });
  ctx.write(deleteDraft, { ...of, mode: "reply" });
}
