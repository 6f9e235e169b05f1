import type { Context } from "../context.ts";
import type { AuthenticatorAppRow, PasskeyRow } from "../storage/tables.ts";
import { appOfAgent, recoveryCodesOfAgent } from "./factor-store.ts";
import { passkeysOfAgent } from "./passkey-store.ts";

/** What an agent can prove themselves with besides the password. */
export interface Factors {
  /** Undefined also for one that was never shown to work. */
  app: AuthenticatorAppRow | undefined;
  passkeys: readonly PasskeyRow[];
  /** How many recovery codes are left; they are no factor by themselves. */
  recoveryCodes: number;
}

export async function factorsOf(ctx: Pick<Context, "db" | "teamId">, agentId: string): Promise<Factors> {
  const own = { team_id: ctx.teamId, agent_id: agentId };
  const [app, passkeys, codes] = await Promise.all([
    ctx.db.first(appOfAgent, own),
    ctx.db.all(passkeysOfAgent, own),
    ctx.db.all(recoveryCodesOfAgent, own),
  ]);
  return { app: app?.confirmed_at == null ? undefined : app, passkeys, recoveryCodes: codes.length };
}

export function hasFactor({ app, passkeys }: Pick<Factors, "app" | "passkeys">): boolean {
  return app !== undefined || passkeys.length > 0;
}
