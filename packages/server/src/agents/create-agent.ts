import type { AgentRole } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { addAgent } from "./add-agent.ts";
import { agentByEmail } from "./agent-store.ts";

/** Adds an active agent to the team. A repeat with the same e-mail is refused. */
export const createAgent: Operation<
  { email: string; name: string; role: AgentRole; passwordHash: string | null },
  AgentRow
> = {
  name: "create-agent",
  mode: "write",
  async run(ctx, { email, name, role, passwordHash }) {
    const taken = await ctx.db.first(agentByEmail, { team_id: ctx.teamId, email_folded: foldText(email) });
    if (taken) throw invalid({ email: "in-team-already" });
    const agent = addAgent(ctx, { email, name, role, status: "active", passwordHash });
    ctx.record({ name: "agent.created", agent });
    return agent;
  },
};
