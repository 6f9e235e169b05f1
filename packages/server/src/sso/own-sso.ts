import type { OwnSso } from "@frontdesk/core/contract/session-sso";
import { notAuthenticated, notFound } from "@frontdesk/core/domain/refusal";
import type { SsoClaims, SsoPreset } from "@frontdesk/core/domain/sso";
import { findAgent } from "../agents/find-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { mailChange } from "../factors/credential-mail.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import { isoTime } from "../timestamp.ts";
import { linkSso } from "./link-sso.ts";
import { findProvider, providerKey } from "./sso-provider.ts";
import {
  deleteIdentity,
  deleteSessionsOfSubject,
  deleteStepsOfSubject,
  identitiesOfAgent,
  identityBySubject,
  providersOfTeam,
} from "./sso-store.ts";

/** The providers that the agent can sign in by, and which of them know them. */
export const listOwnSso: Operation<Record<never, never>, OwnSso> = {
  name: "list-own-sso",
  mode: "read",
  async run(ctx) {
    const { agentId } = signedInAgent(ctx);
    const linked = await ctx.db.all(identitiesOfAgent, { team_id: ctx.teamId, agent_id: agentId });
    const providers = await ctx.db.all(providersOfTeam, { team_id: ctx.teamId });
    return {
      providers: providers.flatMap((row) => {
        const identity = linked.find(({ provider_id }) => provider_id === row.id);
        if (row.is_on !== 1 && !identity) return [];
        const { name, preset } = row;
        const shown = { id: providerKey(row), name, preset: preset as SsoPreset };
        return [
          { ...shown, linked_at: identity ? isoTime(identity.created_at) : null, email: identity?.email ?? null },
        ];
      }),
    };
  },
};

/**
 * Links an account at a provider to the agent, who is signed in and has proven both. A repeat changes nothing.
 *
 * @throws Refusal `not-authenticated` for an account of another agent, and for an agent who has another account there
 */
export const linkOwnSso: Operation<{ provider: string; claims: SsoClaims }, void> = {
  name: "link-own-sso",
  mode: "write",
  async run(ctx, { provider: key, claims }) {
    const { agentId } = signedInAgent(ctx);
    const provider = await findProvider(ctx, key);
    if (provider.is_on !== 1) throw notAuthenticated("sso-account");
    const of = { team_id: ctx.teamId, provider_id: provider.id };
    const known = await ctx.db.first(identityBySubject, { ...of, subject: claims.subject });
    if (known?.agent_id === agentId) return;
    const agent = await findAgent(ctx, agentId);
    await linkSso(ctx, agent, provider.id, { subject: claims.subject, email: claims.email ?? null });
    audit(ctx, { agent: auditedAgent(agent), provider: { id: provider.id, name: provider.name } });
  },
};

/**
 * The account at a provider leads to the agent no longer; sessions that it began end, and it is mailed to them.
 *
 * @throws Refusal `not-found`
 */
export const unlinkOwnSso: Operation<{ provider: string }, void> = {
  name: "unlink-own-sso",
  mode: "write",
  async run(ctx, { provider: key }) {
    const { agentId } = signedInAgent(ctx);
    const provider = await findProvider(ctx, key);
    const of = { team_id: ctx.teamId, provider_id: provider.id, agent_id: agentId };
    if ((await ctx.db.run(deleteIdentity, of)) === 0) throw notFound("sso-provider");
    ctx.db.announce("access");
    ctx.write(deleteSessionsOfSubject, of);
    ctx.write(deleteStepsOfSubject, of);
    const agent = await findAgent(ctx, agentId);
    audit(ctx, { agent: auditedAgent(agent), provider: { id: provider.id, name: provider.name } });
    await mailChange(ctx, agent, "account-unlinked", { more: `It is one at ${provider.name}.` });
  },
};
