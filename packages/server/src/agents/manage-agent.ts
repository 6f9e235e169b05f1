import { type AgentRole, reaches } from "@frontdesk/core/domain/agent";
import { invalid, notAllowed, notFound } from "@frontdesk/core/domain/refusal";
import { limitingRole } from "../access/by-actor.ts";
import type { Context } from "../context.ts";
import { requireAnotherBreakGlass } from "../sso/sso-lockout.ts";
import type { AgentRow } from "../storage/tables.ts";
import { activeOwners, updateAgentRow } from "./agent-store.ts";
import { findAgent } from "./find-agent.ts";

/**
 * The agent that the actor wants to change.
 *
 * @throws Refusal `not-found`, also for a removed one and for the row of a channel account; `not-allowed` when a signed-in agent would change one above their own role
 */
export async function agentToManage(ctx: Context, agentId: string): Promise<AgentRow> {
  const agent = await findAgent(ctx, agentId);
  if (agent.removed_at !== null || agent.account_id !== null) throw notFound("agent");
  requireReach(ctx, agent.role as AgentRole);
  return agent;
}

/** @throws Refusal `not-allowed` when the role is above the signed-in agent's own; programs and the operator may change all */
export function requireReach({ actor }: Context, role: AgentRole): void {
  const limit = limitingRole(actor);
  if (limit !== undefined && !reaches(limit, role)) throw notAllowed("role");
}

/**
 * @throws Refusal `invalid` on `field` when the agent is the only owner who can sign in: a team always has one, also where single
 *   sign-on is required and its provider is away
 */
export async function requireAnotherOwner(ctx: Context, agent: AgentRow, field: string): Promise<void> {
  if (agent.role !== ("CHAT_AGENT_OWNER" satisfies AgentRole)) return;
  const owners = await ctx.db.all(activeOwners, { team_id: ctx.teamId });
  if (!owners.some(({ id }) => id !== agent.id)) throw invalid({ [field]: "last-owner" });
  await requireAnotherBreakGlass(ctx, agent, field);
}

/**
 * Writes the changed agent and records it. The new role and status apply to keys, assistants and streams at once, in every
 * process.
 */
export function changeAgent(ctx: Context, agent: AgentRow): AgentRow {
  ctx.db.announce("access");
  ctx.write(updateAgentRow, agent);
  ctx.record({ name: "agent.updated", agent });
  return agent;
}
