import { invalid } from "@frontdesk/core/domain/refusal";
import { agentById, setAgentPassword } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { mailChange } from "../factors/credential-mail.ts";
import { endTrust } from "../factors/known-browser.ts";
import { endSessionsOf } from "./end-session.ts";
import { deletePasswordReset } from "./session-store.ts";
import { signedInAgent } from "./signed-in-agent.ts";

/**
 * Gives the agent a new password, and ends all of their sessions except this one. Links to choose another one become invalid.
 *
 * @param input.knownHash the hash of the password that the agent has entered
 * @throws Refusal `invalid` on `current_password` when the password has changed since
 */
export const changePassword: Operation<{ knownHash: string; passwordHash: string }, void> = {
  name: "change-password",
  mode: "write",
  async run(ctx, { knownHash, passwordHash }) {
    const { agentId, sessionId } = signedInAgent(ctx);
    const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId });
    if (agent?.password_hash !== knownHash) throw invalid({ current_password: "wrong-password" });
    ctx.write(setAgentPassword, { team_id: ctx.teamId, id: agentId, password_hash: passwordHash });
    ctx.write(deletePasswordReset, { team_id: ctx.teamId, agent_id: agentId });
    await endSessionsOf(ctx, agentId, sessionId);
    endTrust(ctx, agentId);
    await mailChange(ctx, agent, "password-changed");
    audit(ctx, { agent: auditedAgent(agent) });
  },
};
