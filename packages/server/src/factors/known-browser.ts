import { TRUST_LIFE_MS } from "@frontdesk/core/domain/factors";
import { newToken, tokenHash, tokenTeam } from "../access/token.ts";
import type { Context } from "../context.ts";
import type { AgentRow, KnownBrowserRow, TeamRow } from "../storage/tables.ts";
import { browserByToken, endTrustOfAgent, insertBrowser, noteBrowserUsed } from "./browser-store.ts";
import { mailChange } from "./credential-mail.ts";
import { deleteSecondStepsOfAgent } from "./factor-store.ts";

/** A browser that was not used for this long is forgotten. */
export const BROWSER_LIFE_MS = 400 * 24 * 60 * 60_000;

/** The browser of a request. */
export interface Browser {
  /** The tokens in its cookie: one for each agent who has signed in with it. */
  tokens: readonly string[];
  userAgent: string | undefined;
}

/** The browser as it is known for the agent; undefined for one in which they have not signed in. */
export async function knownBrowser(
  ctx: Context,
  agentId: string,
  { tokens }: Browser,
): Promise<KnownBrowserRow | undefined> {
  const hashes = tokens.filter((token) => tokenTeam("browser", token) === ctx.teamId).map(tokenHash);
  for (const token_hash of hashes) {
    const row = await ctx.db.first(browserByToken, { team_id: ctx.teamId, agent_id: agentId, token_hash });
    if (row) return row;
  }
  return undefined;
}

/** Whether the second step is spared: neither a factor nor the password has changed since the agent has trusted the browser. */
export function isTrusted(browser: KnownBrowserRow | undefined, team: TeamRow, now: number): boolean {
  return team.trusts_browsers === 1 && browser?.trusted_until != null && browser.trusted_until > now;
}

/**
 * Notes that the agent signs in with the browser, and mails them when it is new.
 *
 * @param trust whether it is spared the second step from now on
 * @param isFirst whether the agent has just joined, and no other browser can be known
 * @returns a new token for the cookie; undefined for a known browser
 */
export async function noteBrowser(
  ctx: Context,
  { agent, team, known }: { agent: AgentRow; team: TeamRow; known: KnownBrowserRow | undefined },
  { userAgent }: Browser,
  { trust, isFirst }: { trust: boolean; isFirst: boolean },
): Promise<string | undefined> {
  const trusted = trust && team.trusts_browsers === 1 ? ctx.now + TRUST_LIFE_MS : undefined;
  const row = { last_used_at: ctx.now, user_agent: shortened(userAgent) };
  if (known) {
    const trusted_until = trusted ?? known.trusted_until;
    ctx.write(noteBrowserUsed, { team_id: ctx.teamId, id: known.id, ...row, trusted_until });
    return undefined;
  }
  const token = newToken("browser", ctx.teamId, ctx.random);
  ctx.write(insertBrowser, {
    ...{ team_id: ctx.teamId, id: ctx.newId(), agent_id: agent.id, token_hash: tokenHash(token) },
    ...{ created_at: ctx.now, ...row, trusted_until: trusted ?? null },
  });
  if (!isFirst) await mailChange(ctx, agent, "new-browser", { userAgent });
  return token;
}

/** A password or a factor has changed: every browser needs the second step again, and one that was begun is over. */
export function endTrust(ctx: Context, agentId: string): void {
  const own = { team_id: ctx.teamId, agent_id: agentId };
  ctx.write(endTrustOfAgent, own);
  ctx.write(deleteSecondStepsOfAgent, own);
}

/** Longer than the names of browsers. */
const USER_AGENT_MAX = 255;

export function shortened(userAgent: string | undefined): string | null {
  return userAgent?.slice(0, USER_AGENT_MAX).toWellFormed() ?? null;
}
