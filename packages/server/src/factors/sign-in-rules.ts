import type { FactorRule } from "@frontdesk/core/domain/factors";
import { notFound } from "@frontdesk/core/domain/refusal";
import { audit } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import type { TeamRow } from "../storage/tables.ts";
import { setSignInRules, teamById } from "../teams/team-store.ts";

export interface SignInRules {
  /** Who must have a second factor. */
  required: FactorRule;
  /** Whether agents may have browsers spared the second step. */
  trustsBrowsers: boolean;
}

/** How the team's agents have to sign in. */
export const getSignInRules: Operation<Record<never, never>, SignInRules> = {
  name: "get-sign-in-rules",
  mode: "read",
  async run(ctx) {
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    if (!team) throw notFound("team");
    return rulesOf(team);
  },
};

/**
 * Changes how agents have to sign in, from their next sign-in on: sessions that have begun go on. Fields that are left out stay as
 * they are; the present state changes nothing.
 */
export const updateSignInRules: Operation<Partial<SignInRules>, SignInRules> = {
  name: "update-sign-in-rules",
  mode: "write",
  async run(ctx, change) {
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    if (!team) throw notFound("team");
    const before = rulesOf(team);
    const { required = before.required, trustsBrowsers = before.trustsBrowsers } = change;
    if (required === before.required && trustsBrowsers === before.trustsBrowsers) return before;
    ctx.write(setSignInRules, {
      team_id: ctx.teamId,
      factor_rule: required,
      trusts_browsers: trustsBrowsers ? 1 : 0,
    });
    audit(ctx, { required, trusts_browsers: trustsBrowsers });
    return { required, trustsBrowsers };
  },
};

const rulesOf = ({ factor_rule, trusts_browsers }: TeamRow): SignInRules => ({
  required: factor_rule as FactorRule,
  trustsBrowsers: trusts_browsers === 1,
});
