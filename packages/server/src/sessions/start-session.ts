import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { WayIn } from "@frontdesk/core/domain/ways-in";
import { newToken, tokenHash } from "../access/token.ts";
import { agentById } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { insertSession } from "./session-store.ts";

export interface NewSession {
  agentId: string;
  /** The hash of the password that fitted; when the password has changed since, there is no session. */
  passwordHash: string;
  wayIn: WayIn;
  /** The browser's own name. */
  userAgent: string | undefined;
}

export interface StartedSession {
  sessionId: string;
  /** For the cookie; only its hash is stored. */
  token: string;
  verifiedAt: number;
}

/** Longer than the names of browsers. */
const USER_AGENT_MAX = 255;

/**
 * Signs an agent in with a browser; a repeat creates another session. The password was checked before, outside of the
 * transaction, because that is slow on purpose.
 *
 * @throws Refusal `not-authenticated` when the agent is not active, or has another password by now
 */
export const startSession: Operation<NewSession, StartedSession> = {
  name: "start-session",
  mode: "write",
  async run(ctx, { agentId, passwordHash, wayIn, userAgent }) {
    const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId });
    if (agent?.status !== "active" || agent.password_hash !== passwordHash) throw notAuthenticated("sign-in");
    const token = newToken("session", ctx.teamId, ctx.random);
    const sessionId = ctx.newId();
    ctx.write(insertSession, {
      team_id: ctx.teamId,
      id: sessionId,
      agent_id: agent.id,
      token_hash: tokenHash(token),
      created_at: ctx.now,
      last_seen_at: ctx.now,
      ip: ctx.actor.ip ?? null,
      user_agent: userAgent?.slice(0, USER_AGENT_MAX).toWellFormed() ?? null,
      way_in: wayIn,
      verified_at: ctx.now,
      replaced_hash: null,
    });
    audit(ctx, { agent: auditedAgent(agent) }, agent.id);
    return { sessionId, token, verifiedAt: ctx.now };
  },
};

/** A sign-in as an agent failed with a wrong password. Only the audit log changes. */
export const noteFailedSignIn: Operation<{ agentId: string }, void> = {
  name: "note-failed-sign-in",
  mode: "write",
  async run(ctx, { agentId }) {
    const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId });
    if (agent) audit(ctx, { agent: auditedAgent(agent) });
  },
};
