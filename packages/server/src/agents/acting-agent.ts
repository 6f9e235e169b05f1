import { canBeChosen } from "@frontdesk/core/domain/agent";
import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import { automationOf, ownAgentId } from "../access/by-actor.ts";
import type { Context } from "../context.ts";
import type { Doer } from "../events/event.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentById } from "./agent-store.ts";

/**
 * The agent in whose name something is done: the named one, else the actor's own (decisions 4 and 21). Undefined when no agent
 * is named and the actor has none. A signed-in agent acts only in their own name.
 *
 * @throws Refusal `invalid` on `agent_id` when the named one is unknown, deactivated (decision 65) or no person, or another than the
 *   agent who is signed in
 */
export async function actingAgent(ctx: Context, named: string | null | undefined): Promise<AgentRow | undefined> {
  const id = named == null ? ownAgentId(ctx.actor) : canonicalId(named);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (named == null) return agent || undefined;
  if (!agent || !canBeChosen(agent)) throw invalid({ agent_id: "no-such-agent" });
  if (ctx.actor.kind === "agent" && agent.id !== ctx.actor.agentId) {
    throw invalid({ agent_id: "other-agent" });
  }
  return agent;
}

/** The doer that a caller names: an agent of the team by id, an automation, or none. */
export type NamedDoer = { agentId: string | null | undefined } | { automation: { id: string; name: string } };

/**
 * Who did it, as events and conversations store it (decision 47): the named automation or agent, else the actor's own agent,
 * else the system.
 *
 * @throws Refusal `invalid` on `agent_id` when the named agent is unknown or deactivated
 */
export async function doer(ctx: Context, named: NamedDoer | undefined): Promise<Doer> {
  if (named && "automation" in named) {
    const { id, name } = named.automation;
    return { automation: { id, name } };
  }
  // A program acts as an automation; only its messages have an agent.
  const agentId = named && "agentId" in named ? named.agentId : undefined;
  const automation = agentId == null ? automationOf(ctx.actor) : undefined;
  if (automation) return { automation };
  const agent = await actingAgent(ctx, agentId);
  return agent ? { agent: { id: agent.id, name: agent.name ?? agent.email, email: agent.email } } : { system: {} };
}
