import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { WayIn } from "@frontdesk/core/domain/ways-in";
import { agentById } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import type { Browser } from "../factors/known-browser.ts";
import { type OpenedSession, openSession, type SecondStepAsked } from "./open-session.ts";

export interface NewSession {
  agentId: string;
  /** The hash of the password that fitted; when the password has changed since, there is no session. */
  passwordHash: string;
  wayIn: Exclude<WayIn, "passkey" | "sso">;
  browser: Browser;
}

/**
 * Signs an agent in with a browser, or asks for the second step; a repeat creates another session. The password was checked
 * before, outside of the transaction, because that is slow on purpose.
 *
 * @throws Refusal `not-authenticated` when the agent is not active, has another password by now, or signs in by single
 *   sign-on alone
 */
export const startSession: Operation<NewSession, OpenedSession | SecondStepAsked> = {
  name: "start-session",
  mode: "write",
  async run(ctx, { agentId, passwordHash, wayIn, browser }) {
    const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId });
    if (agent?.status !== "active" || agent.password_hash !== passwordHash) throw notAuthenticated("sign-in");
    return openSession(ctx, agent, { wayIn, browser, proved: false });
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
