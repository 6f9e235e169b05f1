import { notAuthenticated, notFound } from "@frontdesk/core/domain/refusal";
import { findAgent } from "../agents/find-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import { renewSessionToken } from "../sessions/verify-session.ts";
import { type OpenedProvider, openRow } from "./open-sso-provider.ts";
import { findProvider } from "./sso-provider.ts";
import { identitiesOfAgent, identityBySubject, providersOfTeam } from "./sso-store.ts";

/**
 * The provider at which the agent can prove again who they are.
 *
 * @throws Refusal `not-found` when none knows them
 */
export const beginSsoProof: Operation<Record<never, never>, OpenedProvider> = {
  name: "begin-sso-proof",
  mode: "read",
  async run(ctx) {
    const { agentId } = signedInAgent(ctx);
    const own = await ctx.db.all(identitiesOfAgent, { team_id: ctx.teamId, agent_id: agentId });
    const providers = await ctx.db.all(providersOfTeam, { team_id: ctx.teamId });
    const row = providers.find(({ id, is_on }) => is_on === 1 && own.some(({ provider_id }) => provider_id === id));
    if (!row) throw notFound("sso-provider");
    return openRow(ctx, row);
  },
};

/**
 * The agent has proved again at the provider who they are. The session gets a new token, as by a password.
 *
 * @throws Refusal `not-authenticated` for an account that is not theirs
 */
export const verifyBySso: Operation<{ provider: string; subject: string }, { token: string }> = {
  name: "verify-by-sso",
  mode: "write",
  async run(ctx, { provider: key, subject }) {
    const { agentId } = signedInAgent(ctx);
    const { id, is_on } = await findProvider(ctx, key);
    const identity = await ctx.db.first(identityBySubject, { team_id: ctx.teamId, provider_id: id, subject });
    if (identity?.agent_id !== agentId || is_on !== 1) throw notAuthenticated("sso");
    const agent = await findAgent(ctx, agentId);
    const token = renewSessionToken(ctx);
    audit(ctx, { agent: auditedAgent(agent) });
    return { token };
  },
};
