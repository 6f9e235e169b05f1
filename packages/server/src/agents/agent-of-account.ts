import { type AgentRole, type AgentStatus, accountEmail } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentOfChannelAccount, insertAgent } from "./agent-store.ts";
import { changeAgent } from "./manage-agent.ts";

/**
 * The row in whose name a message is kept that was written elsewhere in a channel account, when its agent is unknown; created when it
 * is first needed. It is no person, and deactivated: it cannot sign in, is assigned nothing, and is in no list or count of agents.
 *
 * @param account `name`: what it is called now
 */
export async function agentOfAccount(ctx: Context, account: { id: string; name: string }): Promise<AgentRow> {
  const { id: account_id, name } = account;
  const found = await ctx.db.first(agentOfChannelAccount, { team_id: ctx.teamId, account_id });
  if (found) return found.name === name ? found : changeAgent(ctx, { ...found, name });
  const id = ctx.newId();
  const agent: AgentRow = {
    ...{ team_id: ctx.teamId, id, email: accountEmail(id), email_folded: foldText(accountEmail(id)), name, account_id },
    ...{ role: "CHAT_AGENT_MEMBER" satisfies AgentRole, status: "deactivated" satisfies AgentStatus },
    ...{ online_status: "offline", availability: "auto", last_active_at: 0, created_at: ctx.now, removed_at: null },
    ...{ profile_photo_url: null, resized_profile_photo_url: null, password_hash: null },
  };
  ctx.write(insertAgent, agent);
  return agent;
}
