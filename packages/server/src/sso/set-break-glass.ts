import type { SsoSettings } from "@frontdesk/core/contract/session-sso";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import { type FactorRule, mustHaveFactor } from "@frontdesk/core/domain/factors";
import { invalid } from "@frontdesk/core/domain/refusal";
import { findAgent } from "../agents/find-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { factorsOf, hasFactor } from "../factors/factors-of.ts";
import type { AgentRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { settingsOf } from "./get-sso-settings.ts";
import { requireAnotherBreakGlass, signsInBySsoAlone } from "./sso-lockout.ts";
import { deleteOtherSessionsOf, nameBreakGlass, ownersWithPasswords, unnameBreakGlass } from "./sso-store.ts";

/**
 * Names an owner who keeps their password where SSO is required, or names them no longer: then those of their sessions end
 * that were not begun by SSO.
 *
 * @throws Refusal `not-found`; `invalid` on `agent` for one who is no active owner with a password, for the last one, and for one
 *   who lacks a factor that the team requires
 */
export const setBreakGlass: Operation<{ agentId: string; on: boolean }, SsoSettings> = {
  name: "set-break-glass",
  mode: "write",
  async run(ctx, { agentId, on }) {
    const agent = await findAgent(ctx, agentId);
    const of = { team_id: ctx.teamId, agent_id: agent.id };
    const owners = await ctx.db.all(ownersWithPasswords, { team_id: ctx.teamId });
    const owner = owners.find(({ id }) => id === agent.id);
    const isNamed = owner?.keeper != null;
    if (on && owner?.password_hash == null) throw invalid({ agent: "sso-not-owner" });
    if (on && (await lacksFactor(ctx, agent))) throw invalid({ agent: "sso-keeper-factor" });
    if (isNamed === on) return settingsOf(ctx);
    if (on) {
      ctx.write(nameBreakGlass, of);
    } else {
      await requireAnotherBreakGlass(ctx, agent, "agent");
      ctx.write(unnameBreakGlass, of);
      if (await signsInBySsoAlone(ctx, agent, { keepsPassword: false })) {
        ctx.db.announce("access");
        ctx.write(deleteOtherSessionsOf, of);
      }
    }
    audit(ctx, { agent: auditedAgent(agent), on });
    return settingsOf(ctx);
  },
};

/** Their password alone would be a way round what the team requires. */
async function lacksFactor(ctx: Context, agent: AgentRow): Promise<boolean> {
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  const must = team && mustHaveFactor(team.factor_rule as FactorRule, agent.role as AgentRole);
  return must === true && !hasFactor(await factorsOf(ctx, agent.id));
}
