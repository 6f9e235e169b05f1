import type { AgentStatus } from "@frontdesk/core/domain/agent";
import type { Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentToManage, changeAgent } from "./manage-agent.ts";

/**
 * Brings a deactivated agent back: with the password they had, or as somebody who is invited when they never joined (a new
 * link is made by `renew-invitation`). Somebody who is not deactivated stays as they are.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own
 */
export const reactivateAgent: Operation<{ agentId: string }, AgentRow> = {
  name: "reactivate-agent",
  mode: "write",
  async run(ctx, { agentId }) {
    const before = await agentToManage(ctx, agentId);
    if (before.status !== ("deactivated" satisfies AgentStatus)) return before;
    const status: AgentStatus = before.password_hash === null ? "invited" : "active";
    return changeAgent(ctx, { ...before, status });
  },
};
