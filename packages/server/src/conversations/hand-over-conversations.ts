import { canAct } from "@frontdesk/core/domain/agent";
import type { SystemActor } from "../access/actor.ts";
import { ownAgentId } from "../access/by-actor.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import type { AgentRow } from "../storage/tables.ts";
import { assignAgent } from "./assign-agent.ts";
import { openConversationCount, openConversationsOfAgent } from "./conversation-store.ts";
import { unassignAgent } from "./unassign-agent.ts";

/** Conversations of one commit: the team's other writes wait for it. */
const AT_ONCE = 50;

/** Whose conversations go to whom, and who decided it. */
interface HandOver {
  fromId: string;
  /** Null: to no one. */
  toId: string | null;
  byId: string | null;
}

/** Stores the job that hands over an agent's open conversations. Returns how many there are now; without any it stores none. */
export async function queueHandOver(ctx: Context, from: AgentRow, to: AgentRow | undefined): Promise<number> {
  const { total } = (await ctx.db.first(openConversationCount, { team_id: ctx.teamId, agent_id: from.id })) ?? {
    total: 0,
  };
  if (total === 0) return 0;
  const payload = { fromId: from.id, toId: to?.id ?? null, byId: ownAgentId(ctx.actor) ?? null };
  ctx.enqueue({ kind: "hand-over-conversations", payload });
  return total;
}

/** Hands over in pieces until none is left. A repeat goes on with what is left, so a job that died loses nothing. */
export function handOverConversationsJob(perform: () => Perform): JobHandler<"hand-over-conversations"> {
  return async (handOver, { teamId, signal }) => {
    const system: SystemActor = { kind: "system", teamId };
    for (let left = true; left; ) {
      signal.throwIfAborted();
      left = await perform()(system, handOverConversations, handOver);
    }
  };
}

/**
 * Assigns some of a deactivated agent's open conversations to another, and unassigns them. Returns whether some are left. Does
 * nothing for an agent who was reactivated meanwhile; a receiver who was deactivated meanwhile gets none, and they are
 * unassigned.
 */
export const handOverConversations: Operation<HandOver, boolean> = {
  name: "hand-over-conversations",
  mode: "write",
  async run(ctx, { fromId, toId, byId }) {
    const from = await agentOf(ctx, fromId);
    if (!from || canAct(from)) return false;
    const [to, doer] = [await agentOf(ctx, toId), await agentOf(ctx, byId)];
    const by = doer && canAct(doer) ? { agentId: doer.id } : undefined;
    const found = await ctx.db.all(openConversationsOfAgent, {
      team_id: ctx.teamId,
      agent_id: from.id,
      limit: AT_ONCE,
    });
    for (const { conversation_id: conversationId } of found) {
      // First, so that it is never in the list of unassigned ones.
      if (to && canAct(to)) await assignAgent.run(ctx, { conversationId, agentId: to.id, by });
      await unassignAgent.run(ctx, { conversationId, agentId: from.id, by });
    }
    return found.length === AT_ONCE;
  },
};

async function agentOf(ctx: Context, id: string | null): Promise<AgentRow | undefined> {
  return id === null ? undefined : ctx.db.first(agentById, { team_id: ctx.teamId, id });
}
