import type { Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { heldReply, returnToDraft } from "./held-reply.ts";
import { type HeldState, putHeldReply } from "./held-reply-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { type SendOutcome, sentBefore, sentOutcome } from "./send-from-inbox.ts";

export type UndoOutcome = Extract<SendOutcome, { outcome: "sent" }> | { outcome: "undone" };

/**
 * A held reply is not sent and is the agent's draft again; one that was sent stays sent. One that has not arrived yet is not
 * sent when it does. A repeat has the same outcome. `hold-reply.ts` has the diagram.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `client_id` for one that is not the agent's
 */
export const undoReply: Operation<{ conversationId: string; clientId: string }, UndoOutcome> = {
  name: "undo-reply",
  mode: "write",
  async run(ctx, { conversationId, clientId }) {
    const agentId = inboxAgentId(ctx);
    const conversation = await findConversation(ctx, conversationId);
    const [sent, held] = await Promise.all([
      sentBefore(ctx, conversation, agentId, clientId),
      heldReply(ctx, conversation, agentId, clientId),
    ]);
    if (sent) return sentOutcome(ctx, conversation, sent);
    if (!held) {
      const undone = { state: "undone" satisfies HeldState, reply: null, created_at: ctx.now };
      const of = { team_id: ctx.teamId, agent_id: agentId, conversation_id: conversation.id };
      ctx.write(putHeldReply, { ...of, client_id: clientId, ...undone });
    } else if (held.state === ("held" satisfies HeldState)) await returnToDraft(ctx, held, "undone");
    return { outcome: "undone" };
  },
};
