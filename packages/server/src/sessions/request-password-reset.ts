import { invalid } from "@frontdesk/core/domain/refusal";
import { newToken, tokenHash } from "../access/token.ts";
import { agentById } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { teamById } from "../teams/team-store.ts";
import { passwordResetMail } from "./password-reset-mail.ts";
import { keepPasswordReset } from "./session-store.ts";

/** How long the link is valid. */
export const PASSWORD_RESET_LIFE_MS = 60 * 60 * 1_000;

/**
 * Creates a link by which an agent chooses a new password: for one use, within an hour. A repeat creates another one, and the
 * previous one becomes invalid.
 *
 * @param input.resetUrl makes the link of a token
 * @param input.mail whether to send it by e-mail
 * @throws Refusal `invalid` on `email` for an agent who has not joined, or is deactivated
 */
export const requestPasswordReset: Operation<
  { agentId: string; resetUrl: (token: string) => string; mail: boolean },
  { link: string }
> = {
  name: "request-password-reset",
  mode: "write",
  async run(ctx, { agentId, resetUrl, mail }) {
    const [agent, team] = await Promise.all([
      ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId }),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
    ]);
    if (agent?.status !== "active") throw invalid({ email: "cannot-sign-in" });
    const token = newToken("reset", ctx.teamId, ctx.random);
    ctx.write(keepPasswordReset, {
      team_id: ctx.teamId,
      agent_id: agent.id,
      token_hash: tokenHash(token),
      created_at: ctx.now,
      expires_at: ctx.now + PASSWORD_RESET_LIFE_MS,
    });
    const link = resetUrl(token);
    if (mail) ctx.enqueue({ kind: "send-mail", payload: passwordResetMail(agent, team?.name ?? "", link) });
    audit(ctx, { agent: auditedAgent(agent) });
    return { link };
  },
};
