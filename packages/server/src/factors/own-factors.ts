import { type FactorRule, mustHaveFactor } from "@frontdesk/core/domain/factors";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { KnownBrowserRow, TeamRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { trustedBrowsers } from "./browser-store.ts";
import { type Factors, factorsOf } from "./factors-of.ts";

export interface OwnFactors extends Factors {
  browsers: readonly KnownBrowserRow[];
  /** Whether the team wants the agent to have one. */
  isRequired: boolean;
}

/** What the signed-in agent can sign in with besides the password, and the browsers that they trust. */
export const getOwnFactors: Operation<Record<never, never>, OwnFactors> = {
  name: "get-own-factors",
  mode: "read",
  async run(ctx) {
    const { agentId, role } = signedInAgent(ctx);
    const [factors, team, browsers] = await Promise.all([
      factorsOf(ctx, agentId),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
      ctx.db.all(trustedBrowsers, { team_id: ctx.teamId, agent_id: agentId, now: ctx.now }),
    ]);
    const isRequired = mustHaveFactor((team?.factor_rule ?? "nobody") as FactorRule, role);
    return { ...factors, isRequired, browsers: trusts(team) ? browsers : [] };
  },
};

const trusts = (team: TeamRow | undefined): boolean => team?.trusts_browsers === 1;
