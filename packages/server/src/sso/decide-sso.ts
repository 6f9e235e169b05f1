import type { AgentStatus } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { domainOfEmail, type SsoClaims, type SsoPreset, vouchesForEmail } from "@frontdesk/core/domain/sso";
import { agentById, personByEmail } from "../agents/agent-store.ts";
import type { Context } from "../context.ts";
import type { AgentRow, SsoProviderRow } from "../storage/tables.ts";
import { domainOfTeam, identitiesOfAgent, identityBySubject } from "./sso-store.ts";

/** Why no one is signed in. */
export type SsoRefusal =
  | "no-email"
  | "email-unproven"
  | "domain-unproven"
  | "no-agent"
  | "deactivated"
  /** The e-mail is of an agent who has another account, at this provider or, without a password, at another one. */
  | "other-account";

/** What a sign-in at a provider leads to. */
export type SsoDecision =
  /** The account is known. */
  | { does: "signs-in"; agent: AgentRow }
  /** The agent has a password, which has to be given once. */
  | { does: "asks-password"; agent: AgentRow }
  /** The agent has none: they were invited, or have signed in otherwise only. */
  | { does: "joins"; agent: AgentRow }
  | { does: "is-created"; email: string }
  | { does: "refused"; why: SsoRefusal; agent: AgentRow | undefined };

/**
 * ```
 *   known (provider, subject)? -- yes --> signs-in, unless deactivated
 *     | no
 *   e-mail vouched for, its domain proven by this team? -- no --> refused
 *     | yes
 *   an agent of the team has it? -- no --> is-created, where that is on
 *     | yes
 *   deactivated, linked to another subject, or without a password to another provider? -- yes --> refused
 *     | no
 *   active with a password --> asks-password;  else --> joins
 * ```
 * It changes nothing. An e-mail that has changed at the provider changes nothing here either.
 */
export async function decideSso(ctx: Context, provider: SsoProviderRow, claims: SsoClaims): Promise<SsoDecision> {
  const { subject, email } = claims;
  const of = { team_id: ctx.teamId, provider_id: provider.id };
  const known = await ctx.db.first(identityBySubject, { ...of, subject });
  if (known) {
    const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: known.agent_id });
    if (agent?.status === ("active" satisfies AgentStatus)) return { does: "signs-in", agent };
    return { does: "refused", why: "deactivated", agent };
  }
  if (email === undefined) return { does: "refused", why: "no-email", agent: undefined };
  const rules = { preset: provider.preset as SsoPreset, trustsEmail: provider.trusts_email === 1 };
  if (!vouchesForEmail(rules, claims)) return { does: "refused", why: "email-unproven", agent: undefined };
  const domain = domainOfEmail(email);
  const row = domain && (await ctx.db.first(domainOfTeam, { team_id: ctx.teamId, domain }));
  if (!row || row.proven_at === null) return { does: "refused", why: "domain-unproven", agent: undefined };
  const agent = await ctx.db.first(personByEmail, { team_id: ctx.teamId, email_folded: foldText(email.trim()) });
  if (!agent) {
    return provider.creates_agents === 1
      ? { does: "is-created", email: email.trim() }
      : { does: "refused", why: "no-agent", agent: undefined };
  }
  if (agent.status === ("deactivated" satisfies AgentStatus)) return { does: "refused", why: "deactivated", agent };
  const linked = await ctx.db.all(identitiesOfAgent, { team_id: ctx.teamId, agent_id: agent.id });
  // Without a password, who has another account already proves that they are the same person by linking this one themselves.
  const hasOther = linked.some(({ provider_id }) => provider_id === provider.id || agent.password_hash === null);
  if (hasOther) return { does: "refused", why: "other-account", agent };
  return { does: agent.password_hash === null ? "joins" : "asks-password", agent };
}
