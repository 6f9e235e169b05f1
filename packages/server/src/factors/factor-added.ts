import { RECOVERY_CODES } from "@frontdesk/core/domain/factors";
import { newRecoveryCode, recoveryCodeHash } from "../access/recovery-code.ts";
import type { Context } from "../context.ts";
import { openEnrolledSessions } from "../sessions/session-store.ts";
import { deleteRecoveryCodes, insertRecoveryCode } from "./factor-store.ts";
import { factorsOf } from "./factors-of.ts";
import { endTrust } from "./known-browser.ts";

/**
 * What follows a new factor, in its commit: recovery codes come with the first one, trusted browsers end, and sessions that could
 * reach nothing but the enrolment become whole.
 *
 * @returns the new recovery codes; empty when the agent has some
 */
export async function factorAdded(ctx: Context, agentId: string): Promise<readonly string[]> {
  endTrust(ctx, agentId);
  ctx.write(openEnrolledSessions, { team_id: ctx.teamId, agent_id: agentId });
  ctx.db.announce("access");
  const { recoveryCodes } = await factorsOf(ctx, agentId);
  return recoveryCodes > 0 ? [] : newRecoveryCodes(ctx, agentId);
}

/** Replaces the recovery codes of an agent. */
export async function newRecoveryCodes(ctx: Context, agentId: string): Promise<readonly string[]> {
  const own = { team_id: ctx.teamId, agent_id: agentId };
  await ctx.db.run(deleteRecoveryCodes, own);
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(ctx.random));
  for (const code of codes) {
    ctx.write(insertRecoveryCode, { ...own, code_hash: recoveryCodeHash(code) ?? "", created_at: ctx.now });
  }
  return codes;
}
