import { type AgentStatus, canBeChosen } from "@frontdesk/core/domain/agent";
import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { queueHandOver } from "../conversations/hand-over-conversations.ts";
import { endTrust } from "../factors/known-browser.ts";
import { deletePasswordReset } from "../sessions/session-store.ts";
import { unnameBreakGlass } from "../sso/sso-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentById, deleteInvitation } from "./agent-store.ts";
import { agentToManage, changeAgent, requireAnotherOwner } from "./manage-agent.ts";
import { type ReducedAccess, reducedAccessOf } from "./reduced-access.ts";

/**
 * Removes an agent from the team's work at once: their sessions and open links stop working, and their keys and assistants can
 * do nothing until the agent is reactivated. Those are in the result, to be revoked or replaced. A repeat changes nothing.
 *
 * `handOverTo` names who gets their open conversations, null for no one: a job of this commit hands them over
 * (docs/decisions/0046-edges-of-the-dashboard.md). Left out, they stay assigned.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `agent` for the last owner, and on
 *   `hand_over_to` for an agent who cannot be assigned
 */
export const deactivateAgent: Operation<
  { agentId: string; handOverTo?: string | null | undefined },
  { agent: AgentRow } & ReducedAccess
> = {
  name: "deactivate-agent",
  mode: "write",
  async run(ctx, { agentId, handOverTo }) {
    const before = await agentToManage(ctx, agentId);
    if (before.status === ("deactivated" satisfies AgentStatus)) {
      return { agent: before, ...(await reducedAccessOf(ctx, before)) };
    }
    await requireAnotherOwner(ctx, before, "agent");
    if (handOverTo !== undefined) await handOver(ctx, before, handOverTo);
    const agent = leaveTeam(ctx, before);
    return { agent, ...(await reducedAccessOf(ctx, agent)) };
  },
};

/** Sessions are kept: they are refused with the reason, and end when the agent is reactivated. */
export function leaveTeam(ctx: Context, before: AgentRow): AgentRow {
  const itself = { team_id: ctx.teamId, agent_id: before.id };
  ctx.write(deleteInvitation, itself);
  ctx.write(deletePasswordReset, itself);
  endTrust(ctx, before.id);
  ctx.write(unnameBreakGlass, itself);
  return changeAgent(ctx, { ...before, status: "deactivated" satisfies AgentStatus, online_status: "offline" });
}

/**
 * Hands over the open conversations of an agent who leaves, or unassigns them.
 *
 * @throws Refusal `invalid` on `hand_over_to`
 */
export async function handOver(ctx: Context, from: AgentRow, toId: string | null): Promise<void> {
  const to = toId === null ? undefined : await agentToReceive(ctx, from, toId);
  const conversations = await queueHandOver(ctx, from, to);
  if (conversations === 0) return;
  audit(ctx, { agent: auditedAgent(from), handed_over_to: to ? auditedAgent(to) : null, conversations });
}

async function agentToReceive(ctx: Context, from: AgentRow, toId: string): Promise<AgentRow> {
  const id = canonicalId(toId);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (!agent || !canBeChosen(agent) || agent.id === from.id) throw invalid({ hand_over_to: "no-such-agent" });
  return agent;
}
