import type { AgentStatus } from "@frontdesk/core/domain/agent";
import { apiKeysOfTeam } from "../access/api-key-store.ts";
import type { Context, Operation } from "../context.ts";
import { endSessionsOf } from "../sessions/end-session.ts";
import { deletePasswordReset } from "../sessions/session-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { deleteInvitation } from "./agent-store.ts";
import { agentToManage, changeAgent, requireAnotherOwner } from "./manage-agent.ts";

export interface DeactivatedAgent {
  agent: AgentRow;
  /** Keys of theirs that still work: programs depend on them, and whoever deactivates decides. */
  keys: { id: string; name: string }[];
}

/**
 * Takes an agent out of the team's work at once: their sessions and open links end. Their conversations stay theirs, and
 * so do the keys they made, which are told. A repeat changes nothing.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `agent` for the last owner
 */
export const deactivateAgent: Operation<{ agentId: string }, DeactivatedAgent> = {
  name: "deactivate-agent",
  mode: "write",
  async run(ctx, { agentId }) {
    const before = await agentToManage(ctx, agentId);
    const keys = await workingKeysOf(ctx, before.id);
    if (before.status === ("deactivated" satisfies AgentStatus)) return { agent: before, keys };
    await requireAnotherOwner(ctx, before, "agent");
    await endSessionsOf(ctx, before.id);
    const itself = { team_id: ctx.teamId, agent_id: before.id };
    ctx.write(deleteInvitation, itself);
    ctx.write(deletePasswordReset, itself);
    const agent: AgentRow = { ...before, status: "deactivated" satisfies AgentStatus, online_status: "offline" };
    return { agent: changeAgent(ctx, agent), keys };
  },
};

async function workingKeysOf(ctx: Context, agentId: string): Promise<{ id: string; name: string }[]> {
  const keys = await ctx.db.all(apiKeysOfTeam, { team_id: ctx.teamId });
  return keys
    .filter(({ agent_id, revoked_at, expires_at }) => {
      const ended = revoked_at !== null || (expires_at !== null && expires_at <= ctx.now);
      return agent_id === agentId && !ended;
    })
    .map(({ id, name }) => ({ id, name }));
}
