import type { AgentRole } from "@frontdesk/core/domain/agent";
import { type FactorRule, mustHaveFactor, type SessionReach } from "@frontdesk/core/domain/factors";
import { notFound } from "@frontdesk/core/domain/refusal";
import { type WayIn, waysIn } from "@frontdesk/core/domain/ways-in";
import { newToken, tokenHash } from "../access/token.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { insertSecondStep } from "../factors/factor-store.ts";
import { type Factors, factorsOf, hasFactor } from "../factors/factors-of.ts";
import { type Browser, isTrusted, knownBrowser, noteBrowser, shortened } from "../factors/known-browser.ts";
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

/**
 * The only place where sessions begin. A way in that proves one factor leads to the second step, unless the agent has no factor or
 * trusts the browser.
 *
 * ```
 *  password, join, setup --no factor, or a trusted browser--> session
 *        |  has a factor                                          ^
 *        v                                                        |
 *   second step ----code of the app, recovery code----------------+
 *                   passkey (both factors at once)----------------'
 * ```
 *
 * @param proved whether a second step, or a passkey, was right in this commit
 */
export async function openSession(
  ctx: Context,
  agent: AgentRow,
  { wayIn, browser, proved, trust = false }: { wayIn: WayIn; browser: Browser; proved: boolean; trust?: boolean },
): Promise<OpenedSession | SecondStepAsked> {
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  if (!team) throw notFound("team");
  const factors = await factorsOf(ctx, agent.id);
  const known = await knownBrowser(ctx, agent.id, browser);
  const needsSecond = waysIn[wayIn].factors === 1 && hasFactor(factors) && !proved;
  if (needsSecond && !isTrusted(known, team, ctx.now))
    return askSecondStep(ctx, agent, factors, team.trusts_browsers === 1);

  const isFirst = wayIn === "join" || wayIn === "setup";
  const browserToken = await noteBrowser(ctx, { agent, team, known }, browser, { trust, isFirst });
  const mustEnrol = !hasFactor(factors) && mustHaveFactor(team.factor_rule as FactorRule, agent.role as AgentRole);
  const reach: SessionReach = mustEnrol ? "enrolment" : "everything";
  const token = newToken("session", ctx.teamId, ctx.random);
  const sessionId = ctx.newId();
  ctx.write(insertSession, {
    ...{ team_id: ctx.teamId, id: sessionId, agent_id: agent.id, token_hash: tokenHash(token) },
    ...{ created_at: ctx.now, last_seen_at: ctx.now, ip: ctx.actor.ip ?? null },
    ...{ user_agent: shortened(browser.userAgent), way_in: wayIn, verified_at: ctx.now, replaced_hash: null, reach },
  });
  audit(ctx, { agent: auditedAgent(agent) }, agent.id);
  return { outcome: "session", sessionId, token, browserToken, verifiedAt: ctx.now };
}

function askSecondStep(ctx: Context, agent: AgentRow, factors: Factors, mayTrust: boolean): SecondStepAsked {
  const token = newToken("second", ctx.teamId, ctx.random);
  ctx.write(insertSecondStep, {
    team_id: ctx.teamId,
    token_hash: tokenHash(token),
    agent_id: agent.id,
    expires_at: ctx.now + SECOND_STEP_LIFE_MS,
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
