import type { AgentStatus } from "@frontdesk/core/domain/agent";
import { invalid } from "@frontdesk/core/domain/refusal";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { teamById } from "../teams/team-store.ts";
import { deleteInvitation } from "./agent-store.ts";
import { openInvitation, type SentInvitation } from "./invite-agents.ts";
import { agentToManage } from "./manage-agent.ts";

/**
 * Creates a new link for an invited agent who has not joined, and sends it when mail is set up. The previous one becomes
 * invalid.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `agent` for an agent who is not invited
 */
export const renewInvitation: Operation<
  { agentId: string; joinUrl: (token: string) => string; mail: boolean },
  SentInvitation
> = {
  name: "renew-invitation",
  mode: "write",
  async run(ctx, { agentId, joinUrl, mail }) {
    const agent = await agentToManage(ctx, agentId);
    if (agent.status !== ("invited" satisfies AgentStatus)) {
      throw invalid({ agent: "not-invited" });
    }
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    ctx.write(deleteInvitation, { team_id: ctx.teamId, agent_id: agent.id });
    audit(ctx, { agent: auditedAgent(agent) });
    return openInvitation(ctx, agent, { teamName: team?.name ?? "", joinUrl, mail });
  },
};
