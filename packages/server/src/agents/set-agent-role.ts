import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { Operation } from "../context.ts";
import { endSessionsOf } from "../sessions/end-session.ts";
import { deletePasswordReset } from "../sessions/session-store.ts";
import { unnameBreakGlass } from "../sso/sso-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentToManage, changeAgent, requireAnotherOwner, requireReach } from "./manage-agent.ts";
import { type ReducedAccess, reducedAccessOf } from "./reduced-access.ts";

/**
 * Gives an agent another role, and ends their sessions and an open link to reset their password, so that none continues with
 * the old one. Their keys and assistants may
 * do at most what the new role may; those that were given more are in the result. Giving the role they have changes nothing.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `role` for the last owner
 */
export const setAgentRole: Operation<{ agentId: string; role: AgentRole }, { agent: AgentRow } & ReducedAccess> = {
  name: "set-agent-role",
  mode: "write",
  async run(ctx, { agentId, role }) {
    const before = await agentToManage(ctx, agentId);
    requireReach(ctx, role);
    if (before.role === role) return { agent: before, ...(await reducedAccessOf(ctx, before)) };
    await requireAnotherOwner(ctx, before, "role");
    ctx.write(unnameBreakGlass, { team_id: ctx.teamId, agent_id: before.id });
    await endSessionsOf(ctx, before.id);
    // One who could manage the agent before may hold it.
    ctx.write(deletePasswordReset, { team_id: ctx.teamId, agent_id: before.id });
    const agent = changeAgent(ctx, { ...before, role });
    return { agent, ...(await reducedAccessOf(ctx, agent)) };
  },
};
