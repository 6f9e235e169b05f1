import type { AgentRole, AgentStatus } from "@frontdesk/core/domain/agent";
import { type SsoClaims, saysSecondFactor } from "@frontdesk/core/domain/sso";
import { addAgent } from "../agents/add-agent.ts";
import { activateAgent, deleteInvitation } from "../agents/agent-store.ts";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { Browser } from "../factors/known-browser.ts";
import { type OpenedSession, openSession, type SecondStepAsked } from "../sessions/open-session.ts";
import type { AgentRow, SsoProviderRow } from "../storage/tables.ts";
import { decideSso, type SsoDecision, type SsoRefusal } from "./decide-sso.ts";
import type { OidcSignIn } from "./oidc-client.ts";
import { findProvider } from "./sso-provider.ts";

const HOUR_MS = 60 * 60 * 1_000;

interface BySso {
  /** The key of the provider. */
  provider: string;
  signIn: OidcSignIn;
  browser: Browser;
  /** The agent whose password was right, and its hash: by this, the account may be linked now. */
  proven?: { agentId: string; passwordHash: string } | undefined;
}

export type BySsoResult =
  | OpenedSession
  | SecondStepAsked
  | { outcome: "password-needed"; agent: AgentRow }
  | { outcome: "refused"; why: SsoRefusal | "off" };

/**
 * Signs in whom a provider has named, in one commit with what it takes: the link of the account, a joining, a new member. Agents with
 * factors of their own are asked for the second step first. Who is refused changes nothing but the audit log.
 */
export const signInBySso: Operation<BySso, BySsoResult> = {
  name: "sign-in-by-sso",
  mode: "write",
  async run(ctx, { provider: key, signIn, browser, proven }) {
    const provider = await findProvider(ctx, key);
    const decision = await decideSso(ctx, provider, signIn.claims);
    if (provider.is_on !== 1) return { outcome: "refused", why: "off" };
    if (decision.does === "refused") return { outcome: "refused", why: decision.why };
    if (decision.does === "asks-password") {
      const { agent } = decision;
      const isProven = proven?.agentId === agent.id && proven.passwordHash === agent.password_hash;
      if (!isProven) return { outcome: "password-needed", agent };
    }
    const agent = agentOf(ctx, provider, decision, signIn.claims);
    const { claims, amr, sid, authTime } = signIn;
    const secondFactor = provider.trusts_factors === 1 || saysSecondFactor({ amr, acr: claims.all.acr });
    const endsAt = ctx.now + provider.session_hours * HOUR_MS;
    const links = decision.does === "signs-in" ? undefined : { subject: claims.subject, email: claims.email ?? null };
    return openSession(ctx, agent, {
      ...{ wayIn: "sso", browser, proved: false, isFirst: isJoining(decision) },
      sso: { providerId: provider.id, sid, authTime, amr, endsAt, secondFactor, links },
    });
  },
};

/** Whether the agent was not in the team before. */
const isJoining = (decision: Exclude<SsoDecision, { does: "refused" }>): boolean =>
  decision.does === "is-created" || decision.agent.status === ("invited" satisfies AgentStatus);

/** Whom it would sign in; nothing is changed, and it works for a provider that is off. */
export const tryProvider: Operation<{ provider: string; claims: SsoClaims }, SsoDecision> = {
  name: "test-sso-provider",
  mode: "read",
  run: async (ctx, { provider, claims }) => decideSso(ctx, await findProvider(ctx, provider), claims),
};

/** A sign-in by SSO was refused: the page says one sentence, and the audit log why. */
export const refuseSso: Operation<{ provider: string; why: string; email?: string | undefined }, void> = {
  name: "refuse-sso",
  mode: "write",
  async run(ctx, { provider: key, why, email }) {
    const { id, name } = await findProvider(ctx, key);
    audit(ctx, { provider: { id, name }, why, ...(email !== undefined && { email }) });
  },
};

/** The agent of the decision, who has joined or was created now where it says so. */
function agentOf(
  ctx: Context,
  provider: SsoProviderRow,
  decision: Exclude<SsoDecision, { does: "refused" }>,
  { name = null, groups }: { name?: string | null | undefined; groups: readonly string[] },
): AgentRow {
  if (decision.does === "is-created") {
    const { email } = decision;
    const isAdmin = provider.admin_group !== null && groups.includes(provider.admin_group);
    const role: AgentRole = isAdmin ? "CHAT_AGENT_ADMIN" : "CHAT_AGENT_MEMBER";
    const agent = addAgent(ctx, { email, name: name ?? null, role, status: "active", passwordHash: null });
    ctx.record({ name: "agent.created", agent });
    return agent;
  }
  const { agent: before } = decision;
  if (before.status !== ("invited" satisfies AgentStatus)) return before;
  const agent: AgentRow = { ...before, name: before.name ?? name ?? null, status: "active" };
  const { id, status } = agent;
  ctx.write(activateAgent, { team_id: ctx.teamId, id, name: agent.name, status, password_hash: null });
  ctx.write(deleteInvitation, { team_id: ctx.teamId, agent_id: id });
  ctx.record({ name: "agent.joined", agent });
  return agent;
}
