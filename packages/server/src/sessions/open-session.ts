import type { AgentRole } from "@frontdesk/core/domain/agent";
import { type FactorRule, mustHaveFactor, type SessionReach } from "@frontdesk/core/domain/factors";
import { notAuthenticated, notFound } from "@frontdesk/core/domain/refusal";
import { type WayIn, waysIn } from "@frontdesk/core/domain/ways-in";
import { newToken, tokenHash } from "../access/token.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { deleteSecondStep, insertSecondStep, secondStepByToken } from "../factors/factor-store.ts";
import { type Factors, factorsOf, hasFactor } from "../factors/factors-of.ts";
import { type Browser, isTrusted, knownBrowser, noteBrowser, shortened } from "../factors/known-browser.ts";
import { linkSso, type SsoLink } from "../sso/link-sso.ts";
import { signsInBySsoAlone } from "../sso/sso-lockout.ts";
import { providerById } from "../sso/sso-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { insertSession } from "./session-store.ts";

/** How long a sign-in waits for its second step. */
export const SECOND_STEP_LIFE_MS = 5 * 60_000;

export interface OpenedSession {
  outcome: "session";
  sessionId: string;
  /** For the cookie; only its hash is stored. */
  token: string;
  /** For the cookie of the browser, when it was not known. */
  browserToken: string | undefined;
  verifiedAt: number;
}

/** The password was right, and something else has to be shown as well. */
export interface SecondStepAsked {
  outcome: "second-step";
  /** For a cookie; only its hash is stored. */
  token: string;
  /** What the agent has to show. */
  app: boolean;
  passkey: boolean;
  recoveryCodes: boolean;
  /** Whether the browser may be spared it from then on. */
  mayTrust: boolean;
}

/** What a session by single sign-on stores besides. */
export interface SsoOfSession {
  providerId: string;
  sid: string | null;
  authTime: number | null;
  amr: string | null;
  endsAt: number;
  /** Whether a second factor was shown at the provider. */
  secondFactor: boolean;
  /** The account that is linked with this sign-in; undefined for one that was linked before. */
  links?: SsoLink | undefined;
}

export interface HowSignedIn {
  wayIn: WayIn;
  browser: Browser;
  /** Whether a second step, or a passkey, was right in this commit. */
  proved: boolean;
  /** Whether the browser is spared the second step from now on. */
  trust?: boolean;
  /** Whether the agent has just joined. */
  isFirst?: boolean;
  sso?: SsoOfSession | undefined;
}

/**
 * The only place where sessions begin. A way in that proves one factor leads to the second step, unless the agent has no factor or
 * trusts the browser.
 *
 * ```
 *  password, join, sso --no factor, or a trusted browser--> session
 *        |  has a factor                                          ^
 *        v                                                        |
 *   second step ----code of the app, recovery code----------------+
 *                   passkey (both factors at once)----------------'
 * ```
 * A second factor that was shown at the provider of single sign-on spares the own one, but not where its account is linked first: it
 * is not known yet whose it is.
 *
 * @throws Refusal `not-authenticated` where the agent signs in by single sign-on alone, and this is another way
 */
export async function openSession(
  ctx: Context,
  agent: AgentRow,
  how: HowSignedIn,
): Promise<OpenedSession | SecondStepAsked> {
  const { wayIn, browser, proved, trust = false, sso } = how;
  if (wayIn !== "sso" && (await signsInBySsoAlone(ctx, agent))) {
    throw notAuthenticated(wayIn === "passkey" ? "passkey" : "sign-in");
  }
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  if (!team) throw notFound("team");
  const factors = await factorsOf(ctx, agent.id);
  const known = await knownBrowser(ctx, agent.id, browser);
  const isSpared = proved || (sso?.secondFactor === true && !sso.links);
  const needsSecond = waysIn[wayIn].factors === 1 && hasFactor(factors) && !isSpared;
  if (needsSecond && !isTrusted(known, team, ctx.now)) {
    return askSecondStep(ctx, agent, factors, { mayTrust: team.trusts_browsers === 1, sso });
  }

  const isFirst = how.isFirst === true || wayIn === "join" || wayIn === "setup";
  const { userAgent } = browser;
  if (sso?.links) await linkSso(ctx, agent, sso.providerId, sso.links, { isFirst, userAgent });
  const browserToken = await noteBrowser(ctx, { agent, team, known }, browser, { trust, isFirst });
  const hasAny = hasFactor(factors) || sso?.secondFactor === true;
  const mustEnrol = !hasAny && mustHaveFactor(team.factor_rule as FactorRule, agent.role as AgentRole);
  const reach: SessionReach = mustEnrol ? "enrolment" : "everything";
  const token = newToken("session", ctx.teamId, ctx.random);
  const sessionId = ctx.newId();
  ctx.write(insertSession, {
    ...{ team_id: ctx.teamId, id: sessionId, agent_id: agent.id, token_hash: tokenHash(token) },
    ...{ created_at: ctx.now, last_seen_at: ctx.now, ip: ctx.actor.ip ?? null },
    ...{ user_agent: shortened(browser.userAgent), way_in: wayIn, verified_at: ctx.now, replaced_hash: null, reach },
    ...{ sso_provider_id: sso?.providerId ?? null, sso_sid: sso?.sid ?? null, auth_time: sso?.authTime ?? null },
    ...{ amr: sso?.amr ?? null, ends_at: sso?.endsAt ?? null },
  });
  audit(ctx, { agent: auditedAgent(agent), ...(await auditedProvider(ctx, sso)) }, agent.id);
  return { outcome: "session", sessionId, token, browserToken, verifiedAt: ctx.now };
}

async function auditedProvider(ctx: Context, sso: SsoOfSession | undefined): Promise<object> {
  const provider = sso && (await ctx.db.first(providerById, { team_id: ctx.teamId, id: sso.providerId }));
  return provider ? { provider: { id: provider.id, name: provider.name }, links: sso.links !== undefined } : {};
}

function askSecondStep(
  ctx: Context,
  agent: AgentRow,
  factors: Factors,
  { mayTrust, sso }: { mayTrust: boolean; sso: SsoOfSession | undefined },
): SecondStepAsked {
  const token = newToken("second", ctx.teamId, ctx.random);
  ctx.write(insertSecondStep, {
    team_id: ctx.teamId,
    token_hash: tokenHash(token),
    agent_id: agent.id,
    expires_at: ctx.now + SECOND_STEP_LIFE_MS,
    ...{ sso_provider_id: sso?.providerId ?? null, sso_sid: sso?.sid ?? null, sso: sso ? JSON.stringify(sso) : null },
  });
  return {
    outcome: "second-step",
    token,
    app: factors.app !== undefined,
    passkey: factors.passkeys.length > 0,
    recoveryCodes: factors.recoveryCodes > 0,
    mayTrust,
  };
}

/** A sign-in that waits for its second step. */
export interface WaitingSignIn {
  agentId: string;
  /** Undefined after a password. */
  sso: SsoOfSession | undefined;
  /** It is over with this commit. */
  end(): void;
}

/**
 * @param token what the first step has given
 * @returns undefined for one that is over
 */
export async function waitingSignIn(ctx: Context, token: string): Promise<WaitingSignIn | undefined> {
  const asked = { team_id: ctx.teamId, token_hash: tokenHash(token) };
  const step = await ctx.db.first(secondStepByToken, asked);
  if (!step || step.expires_at <= ctx.now) return undefined;
  const sso = step.sso === null ? undefined : (JSON.parse(step.sso) as SsoOfSession);
  return { agentId: step.agent_id, sso, end: () => ctx.write(deleteSecondStep, asked) };
}
