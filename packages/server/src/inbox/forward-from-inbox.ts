import type { Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { type Forward, prepareForward, sendForward } from "../email/out/forward-mail.ts";
import { heldReply } from "./held-reply.ts";
import { type ForwardState, putHeldReply } from "./held-reply-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";

export interface ForwardFromInbox extends Forward {
  /** Made by the browser; the same when the request is sent again. */
  clientId: string;
  /** How long it can be undone; 0: it is sent at once. */
  holdMs: number;
}

/**
 * An agent forwards a mail to an outside address. Until it is sent there is nothing but a row, as of a held reply
 * (docs/decisions/0052-undo-send.md); it is refused as it would be by sending it.
 *
 * ```
 *   none --forward-from-inbox--> held --the timer--> sent: a conversation of its own
 *    |                            | '--the timer, and the sending is refused--> returned: a line says so, the text is a draft
 *    '------undo-forward----------'--> undone
 * ```
 * The row stays for a day in each state, so that a request that comes late does nothing. A repeat changes nothing.
 *
 * @throws Refusal `not-found` for the conversation or the mail, `invalid` on `conversation_id`, `to`, `attachments` or `client_id`
 */
export const forwardFromInbox: Operation<ForwardFromInbox, { state: ForwardState }> = {
  name: "forward-from-inbox",
  mode: "write",
  async run(ctx, { clientId, holdMs, ...asked }) {
    const agent_id = inboxAgentId(ctx);
    const conversation = await findConversation(ctx, asked.conversationId);
    const known = await heldReply(ctx, conversation, agent_id, clientId);
    if (known) return { state: known.state as ForwardState };
    const forward: Forward = { ...asked, conversationId: conversation.id };
    const state: ForwardState = holdMs === 0 ? "sent" : "held";
    const of = { team_id: ctx.teamId, client_id: clientId, agent_id, conversation_id: conversation.id };
    if (state === "sent") await sendForward(ctx, forward);
    else {
      await prepareForward(ctx, forward);
      ctx.setTimer({ kind: "send-held-reply", subjectId: clientId, dueAt: ctx.now + holdMs });
    }
    const reply = state === "held" ? JSON.stringify({ forward }) : null;
    ctx.write(putHeldReply, { ...of, state, reply, created_at: ctx.now });
    return { state };
  },
};

/**
 * A held forward is not sent; one that was sent stays sent. One that has not arrived yet is not sent when it does. A repeat has the
 * same outcome.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `client_id` for one that is not the agent's
 */
export const undoForward: Operation<{ conversationId: string; clientId: string }, { state: ForwardState }> = {
  name: "undo-forward",
  mode: "write",
  async run(ctx, { conversationId, clientId }) {
    const agent_id = inboxAgentId(ctx);
    const conversation = await findConversation(ctx, conversationId);
    const known = await heldReply(ctx, conversation, agent_id, clientId);
    if (known && known.state !== ("held" satisfies ForwardState)) return { state: known.state as ForwardState };
    const of = { team_id: ctx.teamId, client_id: clientId, agent_id, conversation_id: conversation.id };
    const state: ForwardState = "undone";
    ctx.write(putHeldReply, { ...of, state, reply: null, created_at: known?.created_at ?? ctx.now });
    ctx.cancelTimer("send-held-reply", clientId);
    return { state };
  },
};
