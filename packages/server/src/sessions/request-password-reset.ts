import type { AgentStatus } from "@frontdesk/core/domain/agent";
import { invalid } from "@frontdesk/core/domain/refusal";
import { ownAgentId } from "../access/by-actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import { agentToManage } from "../agents/manage-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { teamById } from "../teams/team-store.ts";
import { passwordResetMail } from "./password-reset-mail.ts";
import { keepPasswordReset } from "./session-store.ts";

/** How long a link is valid: one that is mailed is at hand at once, one that a teammate or the operator hands over is not. */
export const MAILED_LINK_LIFE_MS = 60 * 60 * 1_000;
export const PASSWORD_LINK_LIFE_MS = 24 * 60 * 60 * 1_000;

/**
 * Creates a link by which an agent chooses a new password, for one use. Nothing changes before it is used. A repeat creates
 * another one, and the previous one becomes invalid.
 *
 * @param input.resetUrl makes the link of a token
 * @param input.mail whether to send it by e-mail
 * @throws Refusal `not-found`; `not-allowed` for an agent above one's own role; `invalid` on `agent` for oneself, and for an
 *   agent who has not joined, or is deactivated
 */
export const requestPasswordReset: Operation<
  { agentId: string; resetUrl: (token: string) => string; mail: boolean },
  { link: string; expiresAt: number }
> = {
  name: "request-password-reset",
  mode: "write",
  async run(ctx, { agentId, resetUrl, mail }) {
    const agent = await agentToManage(ctx, agentId);
    // At an unlocked computer, the old password must still be needed for a new one.
    if (ownAgentId(ctx.actor) === agent.id) throw invalid({ agent: "own-password" });
    if (agent.status !== ("active" satisfies AgentStatus)) throw invalid({ agent: "cannot-sign-in" });
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    const token = newToken("reset", ctx.teamId, ctx.random);
    const expiresAt = ctx.now + (mail ? MAILED_LINK_LIFE_MS : PASSWORD_LINK_LIFE_MS);
    ctx.write(keepPasswordReset, {
      team_id: ctx.teamId,
      agent_id: agent.id,
      token_hash: tokenHash(token),
      created_at: ctx.now,
      expires_at: expiresAt,
    });
    const link = resetUrl(token);
    if (mail) ctx.enqueue({ kind: "send-mail", payload: passwordResetMail(agent, team?.name ?? "", link) });
    audit(ctx, { agent: auditedAgent(agent) });
    return { link, expiresAt };
  },
};
