import { notFound } from "@frontdesk/core/domain/refusal";
import { tokenHash } from "../access/token.ts";
import { agentById, setAgentPassword } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { mailChange } from "../factors/credential-mail.ts";
import { endTrust } from "../factors/known-browser.ts";
import type { AgentRow } from "../storage/tables.ts";
import { endSessionsOf } from "./end-session.ts";
import { deletePasswordReset, passwordResetByToken } from "./session-store.ts";

/** The agent of a link, checked before a password is hashed. A used, expired or invalid link is not found. */
export const getPasswordReset: Operation<{ token: string }, AgentRow> = {
  name: "get-password-reset",
  mode: "read",
  run: (ctx, { token }) => agentOfLink(ctx, token),
};

/** The agent has chosen a new password by a link: the link is used up, and all of their sessions end. */
export const resetPassword: Operation<{ token: string; passwordHash: string }, AgentRow> = {
  name: "reset-password",
  mode: "write",
  async run(ctx, { token, passwordHash }) {
    const agent = await agentOfLink(ctx, token);
    ctx.write(setAgentPassword, { team_id: ctx.teamId, id: agent.id, password_hash: passwordHash });
    ctx.write(deletePasswordReset, { team_id: ctx.teamId, agent_id: agent.id });
    await endSessionsOf(ctx, agent.id);
    endTrust(ctx, agent.id);
    await mailChange(ctx, agent, "password-changed");
    audit(ctx, { agent: auditedAgent(agent) }, agent.id);
    return { ...agent, password_hash: passwordHash };
  },
};

async function agentOfLink(ctx: Context, token: string): Promise<AgentRow> {
  const reset = await ctx.db.first(passwordResetByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) });
  const agent = reset && (await ctx.db.first(agentById, { team_id: ctx.teamId, id: reset.agent_id }));
  if (agent?.status !== "active" || reset === undefined || reset.expires_at <= ctx.now)
    throw notFound("password-reset");
  return agent;
}
