import { recoveryCodeHash } from "../access/recovery-code.ts";
import { stepOfCode } from "../access/totp.ts";
import type { Context } from "../context.ts";
import type { AuthenticatorAppRow } from "../storage/tables.ts";
import { appOfAgent, codeFailuresOfAgent, deleteRecoveryCode, keepCodeFailures, noteCodeUsed } from "./factor-store.ts";

/** Wrong codes of an agent in a window; only a browser with the right password or a session can send any. */
export const MOST_WRONG_CODES = 5;
export const WRONG_CODES_WINDOW_MS = 15 * 60_000;

/** What an agent has typed. */
export type TypedCode = { code: string } | { recoveryCode: string };

/**
 * A value, not a refusal: a wrong code is counted in the commit, which a refusal would roll back. `after` is when the next code
 * may be tried.
 */
export type CodeVerdict = { verdict: "right" } | { verdict: "wrong" } | { verdict: "too-many"; after: number };

/** Checks a code of the agent's app or a recovery code, which counts once, in this commit. */
export async function checkCode(ctx: Context, agentId: string, typed: TypedCode): Promise<CodeVerdict> {
  const own = { team_id: ctx.teamId, agent_id: agentId };
  const before = await ctx.db.first(codeFailuresOfAgent, own);
  const inWindow = before !== undefined && ctx.now - before.since < WRONG_CODES_WINDOW_MS ? before : undefined;
  if (inWindow && inWindow.failures >= MOST_WRONG_CODES) {
    return { verdict: "too-many", after: inWindow.since + WRONG_CODES_WINDOW_MS };
  }
  if (await isRight(ctx, agentId, typed)) return { verdict: "right" };
  ctx.write(keepCodeFailures, {
    ...own,
    since: inWindow?.since ?? ctx.now,
    failures: (inWindow?.failures ?? 0) + 1,
  });
  return { verdict: "wrong" };
}

async function isRight(ctx: Context, agentId: string, typed: TypedCode): Promise<boolean> {
  const own = { team_id: ctx.teamId, agent_id: agentId };
  if ("recoveryCode" in typed) {
    const code_hash = recoveryCodeHash(typed.recoveryCode);
    return code_hash !== undefined && (await ctx.db.run(deleteRecoveryCode, { ...own, code_hash })) > 0;
  }
  const app = await ctx.db.first(appOfAgent, own);
  if (app?.confirmed_at == null) return false;
  const step = newStepOf(ctx, app, typed.code);
  if (step === undefined) return false;
  ctx.write(noteCodeUsed, { team_id: ctx.teamId, id: app.id, last_step: step, last_used_at: ctx.now });
  return true;
}

/** The step of a right code that did not count yet. */
export function newStepOf(ctx: Context, app: AuthenticatorAppRow, code: string): number | undefined {
  const secret = ctx.vault.open(app.secret_sealed, appSecretPlace(app));
  const step = stepOfCode(secret, code, ctx.now);
  return step !== undefined && step > app.last_step ? step : undefined;
}

export const appSecretPlace = ({ team_id, id }: Pick<AuthenticatorAppRow, "team_id" | "id">) =>
  ({ column: "authenticator_apps.secret_sealed", teamId: team_id, id }) as const;
