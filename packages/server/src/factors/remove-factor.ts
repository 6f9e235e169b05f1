import { type FactorRule, mustHaveFactor } from "@frontdesk/core/domain/factors";
import { conflict, invalid, notFound } from "@frontdesk/core/domain/refusal";
import { ownAgentId } from "../access/by-actor.ts";
import { findAgent } from "../agents/find-agent.ts";
import { agentToManage } from "../agents/manage-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { AgentRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { mailChange } from "./credential-mail.ts";
import { newRecoveryCodes } from "./factor-added.ts";
import { deleteApp, deleteRecoveryCodes } from "./factor-store.ts";
import { factorsOf, hasFactor } from "./factors-of.ts";
import { endTrust } from "./known-browser.ts";
import { deletePasskey, deletePasskeysOfAgent } from "./passkey-store.ts";

/**
 * Removes a passkey or the app of the signed-in agent. Recovery codes go with the last one.
 *
 * @throws Refusal `not-found`; `conflict` for the last factor where the team requires one
 */
export const removeFactor: Operation<{ factorId: string }, void> = {
  name: "remove-factor",
  mode: "write",
  async run(ctx, { factorId }) {
    const { agentId, role } = signedInAgent(ctx);
    const own = { team_id: ctx.teamId, agent_id: agentId };
    const { app, passkeys } = await factorsOf(ctx, agentId);
    const passkey = passkeys.find(({ id }) => id === factorId);
    if (!passkey && app?.id !== factorId) throw notFound("factor");
    const isLast = !hasFactor({
      app: passkey ? app : undefined,
      passkeys: passkeys.filter((each) => each !== passkey),
    });
    if (isLast) {
      const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
      if (mustHaveFactor((team?.factor_rule ?? "nobody") as FactorRule, role)) throw conflict("last-factor");
      ctx.write(deleteRecoveryCodes, own);
    }
    if (passkey) ctx.write(deletePasskey, { ...own, id: passkey.id });
    else ctx.write(deleteApp, own);
    endTrust(ctx, agentId);
    const agent = await findAgent(ctx, agentId);
    audit(ctx, { agent: auditedAgent(agent), factor: passkey ? { passkey: passkey.name } : { app: true } });
    await mailChange(ctx, agent, passkey ? "passkey-removed" : "app-removed");
  },
};

/**
 * Removes all factors of an agent who has lost them: by an admin who is not below them, or at the terminal. The password stays as it
 * is, and is enough from then on. Without any factor nothing changes.
 *
 * @returns whether there were any
 * @throws Refusal `not-found`; `not-allowed` for an agent above one's own role; `invalid` on `agent` for oneself
 */
export const removeAgentFactors: Operation<{ agentId: string }, { removed: boolean }> = {
  name: "remove-agent-factors",
  mode: "write",
  async run(ctx, { agentId }) {
    const agent = await agentToManage(ctx, agentId);
    if (ownAgentId(ctx.actor) === agent.id) throw invalid({ agent: "own-factors" });
    if (!hasFactor(await factorsOf(ctx, agent.id))) return { removed: false };
    deleteFactors(ctx, agent);
    audit(ctx, { agent: auditedAgent(agent) });
    await mailChange(ctx, agent, "factors-reset");
    return { removed: true };
  },
};

function deleteFactors(ctx: Context, { id }: AgentRow): void {
  const own = { team_id: ctx.teamId, agent_id: id };
  ctx.write(deleteApp, own);
  ctx.write(deletePasskeysOfAgent, own);
  ctx.write(deleteRecoveryCodes, own);
  endTrust(ctx, id);
}

/**
 * New recovery codes for the signed-in agent; those before stop working.
 *
 * @throws Refusal `conflict` without a factor, which they could stand in for
 */
export const renewRecoveryCodes: Operation<Record<never, never>, { recoveryCodes: readonly string[] }> = {
  name: "renew-recovery-codes",
  mode: "write",
  async run(ctx) {
    const { agentId } = signedInAgent(ctx);
    if (!hasFactor(await factorsOf(ctx, agentId))) throw conflict("no-factor");
    const agent = await findAgent(ctx, agentId);
    audit(ctx, { agent: auditedAgent(agent) });
    await mailChange(ctx, agent, "recovery-codes-renewed");
    return { recoveryCodes: await newRecoveryCodes(ctx, agentId) };
  },
};
