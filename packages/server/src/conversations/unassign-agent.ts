import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { AgentRow, ConversationRow } from "../storage/tables.ts";
import { countAssignment, deleteAssignment } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Unassigns an agent from a conversation, also a deactivated one. An agent who is not assigned cannot be unassigned: a repeat
 * is refused.
 *
 * @throws Refusal `not-found` for the conversation, and for the assignment, whatever the agent's id is
 */
export const unassignAgent: Operation<
  { conversationId: string; agentId: string; by?: NamedDoer | undefined },
  { conversation: ConversationRow; agent: AgentRow }
> = {
  name: "unassign-agent",
  mode: "write",
  async run(ctx, { conversationId, agentId, by }) {
    const about = await findConversationWithPeople(ctx, conversationId);
    const removedBy = await doer(ctx, by);
    const id = canonicalId(agentId);
    const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
    const key = { team_id: ctx.teamId, conversation_id: about.conversation.id };
    const removed = agent ? await ctx.db.run(deleteAssignment, { ...key, agent_id: agent.id }) : 0;
    if (!agent || removed === 0) throw notFound("assignment");

    ctx.write(countAssignment, { team_id: ctx.teamId, id: about.conversation.id, change: -1 });
    ctx.record({ name: "agent.unassigned", ...about, agent, removedBy });
    return { conversation: about.conversation, agent };
  },
};
