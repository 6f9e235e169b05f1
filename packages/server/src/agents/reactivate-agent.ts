import type { AgentStatus } from "@frontdesk/core/domain/agent";
import type { Operation } from "../context.ts";
import { endSessionsOf } from "../sessions/end-session.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentToManage, changeAgent } from "./manage-agent.ts";

/**
 * Reactivates an agent: with the previous password, or as invited when they never joined (`renew-invitation` creates a new
 * link). Sessions from before do not come back. An agent who is not deactivated is left unchanged.
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
    await endSessionsOf(ctx, before.id);
    return changeAgent(ctx, { ...before, status });
  },
};
