import { type AgentOnlineStatus, type AgentRole, type AgentStatus, accountEmail } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { agentById, insertAgent, updateAgentRow } from "../../agents/agent-store.ts";
import type { Context } from "../../context.ts";
import type { AgentRow, AiSettingsRow } from "../../storage/tables.ts";
import { stateOf } from "./ai-state.ts";

/**
 * The row in whose name the built-in AI speaks, made when it is first set up. It is no person: it cannot sign in, has no address,
 * is assigned and mentioned by no one, and counts in no total of agents; but every id of an event is found, so `GET /agents` has it.
 */
export function addAgentOfAi(ctx: Context, ai: AiSettingsRow): void {
  const { agent_id: id, ai_id: account_id, name } = ai;
  const agent: AgentRow = {
    ...{ team_id: ctx.teamId, id, email: accountEmail(id), email_folded: foldText(accountEmail(id)), name, account_id },
    ...{ role: "CHAT_AGENT_MEMBER" satisfies AgentRole, status: "active" satisfies AgentStatus },
    ...{ online_status: onlineStatusOf(ctx, ai), availability: "auto" },
    ...{ last_active_at: 0, created_at: ctx.now, removed_at: null },
    ...{ profile_photo_url: null, resized_profile_photo_url: null, password_hash: null },
  };
  ctx.write(insertAgent, agent);
}

/** After a change of its settings or of what its model does: the row has the name of the AI, and says whether it answers. */
export async function followAi(ctx: Context, ai: AiSettingsRow): Promise<void> {
  const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: ai.agent_id });
  const online_status = onlineStatusOf(ctx, ai);
  if (!agent || (agent.name === ai.name && agent.online_status === online_status)) return;
  ctx.write(updateAgentRow, { ...agent, name: ai.name, online_status });
}

function onlineStatusOf(ctx: Context, ai: AiSettingsRow): AgentOnlineStatus {
  switch (stateOf(ctx, ai).state) {
    case "ready":
      return "online";
    case "away":
      return "away";
    case "off":
      return "offline";
  }
}
