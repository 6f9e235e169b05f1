import { canBeChosen } from "@frontdesk/core/domain/agent";
import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid, notFound, Refusal } from "@frontdesk/core/domain/refusal";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import { agentById } from "../agents/agent-store.ts";
import { changeSpeaker } from "../ai/speaker/change-speaker.ts";
import type { Context, Operation } from "../context.ts";
import type { AgentRow, ConversationRow } from "../storage/tables.ts";
import { assignment, countAssignment, insertAssignment } from "./conversation-store.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * Assigns a conversation to an agent, in addition to those assigned already. An assigned agent stays assigned, and no second
 * event is recorded. Specification: the tool assign-conversation, "Event kinds"; decision 70.
 *
 * @throws Refusal `not-found` for the conversation, and for an agent who is unknown or deactivated (decision 65)
 */
export const assignAgent: Operation<
  { conversationId: string; agentId: string; by?: NamedDoer | undefined },
  { conversation: ConversationRow; agent: AgentRow }
> = {
  name: "assign-agent",
  mode: "write",
  async run(ctx, { conversationId, agentId, by }) {
    const about = await findConversationWithPeople(ctx, conversationId);
    const agent = await assignableAgent(ctx, agentId);
    const assignedBy = await doer(ctx, by);
    const key = { team_id: ctx.teamId, conversation_id: about.conversation.id, agent_id: agent.id };
    if (await ctx.db.first(assignment, key)) return { conversation: about.conversation, agent };

    ctx.write(insertAssignment, { ...key, assigned_by: JSON.stringify(assignedBy), created_at: ctx.now });
    ctx.write(countAssignment, { team_id: ctx.teamId, id: about.conversation.id, change: 1 });
    ctx.record({ name: "agent.assigned", ...about, agent, assignedBy });
    const conversation = changeSpeaker(ctx, about, { name: "assigned" });
    return { conversation, agent };
  },
};

/**
 * The same for a caller who fills in a field: an agent who cannot be assigned is a mistake there (decisions 65 and 68).
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `agent_id`
 */
export const assignNamedAgent: typeof assignAgent = {
  ...assignAgent,
  async run(ctx, input) {
    const isAgent = (error: unknown) =>
      error instanceof Refusal && error.reason.name === "not-found" && error.reason.what === "agent";
    return assignAgent.run(ctx, input).catch((error) => {
      throw isAgent(error) ? invalid({ agent_id: "no-such-agent" }) : error;
    });
  },
};

/**
 * An agent of the team who can be assigned.
 *
 * @throws Refusal `not-found` for one who is unknown, deactivated (decision 65) or no person
 */
export async function assignableAgent(ctx: Context, agentId: string): Promise<AgentRow> {
  const id = canonicalId(agentId);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (!agent || !canBeChosen(agent)) throw notFound("agent");
  return agent;
}
