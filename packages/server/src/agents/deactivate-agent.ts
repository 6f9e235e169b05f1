import type { AgentStatus } from "@frontdesk/core/domain/agent";
import type { Operation } from "../context.ts";
import { endSessionsOf } from "../sessions/end-session.ts";
import { deletePasswordReset } from "../sessions/session-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { deleteInvitation } from "./agent-store.ts";
import { agentToManage, changeAgent, requireAnotherOwner } from "./manage-agent.ts";
import { type ReducedAccess, reducedAccessOf } from "./reduced-access.ts";

/**
 * Removes an agent from the team's work at once: their sessions and open links end, and their keys and assistants can do
 * nothing until the agent is reactivated. Those are in the result, to be revoked or replaced. Their conversations stay
 * assigned. A repeat changes nothing.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `agent` for the last owner
 */
export const deactivateAgent: Operation<{ agentId: string }, { agent: AgentRow } & ReducedAccess> = {
  name: "deactivate-agent",
  mode: "write",
  async run(ctx, { agentId }) {
    const before = await agentToManage(ctx, agentId);
    if (before.status === ("deactivated" satisfies AgentStatus)) {
      return { agent: before, ...(await reducedAccessOf(ctx, before)) };
    }
    await requireAnotherOwner(ctx, before, "agent");
    await endSessionsOf(ctx, before.id);
    const itself = { team_id: ctx.teamId, agent_id: before.id };
    ctx.write(deleteInvitation, itself);
    ctx.write(deletePasswordReset, itself);
    const agent: AgentRow = { ...before, status: "deactivated" satisfies AgentStatus, online_status: "offline" };
    return { agent: changeAgent(ctx, agent), ...(await reducedAccessOf(ctx, agent)) };
  },
};
