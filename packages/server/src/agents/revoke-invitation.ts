import type { AgentStatus } from "@frontdesk/core/domain/agent";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { queueHandOver } from "../conversations/hand-over-conversations.ts";
import type { AgentRow } from "../storage/tables.ts";
import { leaveTeam } from "./deactivate-agent.ts";
import { agentToManage } from "./manage-agent.ts";

/**
 * Revokes the invitation of an agent who has not joined: the link stops working, and conversations assigned to them are
 * unassigned. They are deactivated from then on, and can be invited again by `reactivate-agent`. A repeat is refused.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `agent` for an agent who has joined
 *   meanwhile, or is deactivated
 */
export const revokeInvitation: Operation<{ agentId: string }, AgentRow> = {
  name: "revoke-invitation",
  mode: "write",
  async run(ctx, { agentId }) {
    const before = await agentToManage(ctx, agentId);
    if (before.status !== ("invited" satisfies AgentStatus)) throw invalid({ agent: "not-invited" });
    await queueHandOver(ctx, before, undefined);
    return leaveTeam(ctx, before);
  },
};
