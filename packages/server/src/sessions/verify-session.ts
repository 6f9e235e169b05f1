import { invalid } from "@frontdesk/core/domain/refusal";
import { newToken, tokenHash } from "../access/token.ts";
import { agentById } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { replaceSessionToken } from "./session-store.ts";
import { signedInAgent } from "./signed-in-agent.ts";

/**
 * The agent has proved again who they are. The session gets a new token: one that was stolen before does not profit.
 *
 * @param input.passwordHash the hash of the password that the agent has entered
 * @returns the new token, for the cookie
 * @throws Refusal `invalid` on `password` when the password has changed since
 */
export const verifySession: Operation<{ passwordHash: string }, { token: string }> = {
  name: "verify-session",
  mode: "write",
  async run(ctx, { passwordHash }) {
    const { agentId, sessionId } = signedInAgent(ctx);
    const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId });
    if (agent?.password_hash !== passwordHash) throw invalid({ password: "wrong-password" });
    const token = newToken("session", ctx.teamId, ctx.random);
    ctx.write(replaceSessionToken, {
      team_id: ctx.teamId,
      id: sessionId,
      token_hash: tokenHash(token),
      verified_at: ctx.now,
    });
    // Other processes have cached the time of the last proof.
    ctx.db.announce("access");
    audit(ctx, { agent: auditedAgent(agent) });
    return { token };
  },
};
