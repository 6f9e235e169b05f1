import { hash } from "node:crypto";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { AgentRow, PasskeyRow } from "../storage/tables.ts";
import { mailChange } from "./credential-mail.ts";
import { notePasskeyUsed, passkeyByCredential, useChallenge } from "./passkey-store.ts";

/** A passkey whose signature was right, and the challenge that it has signed. */
export interface UsedPasskey {
  credentialId: string;
  counter: number;
  isSynced: boolean;
  challenge: string;
  /** When the challenge ends by itself. */
  challengeEndsAt: number;
}

/** The passkey of a credential, for the check of its signature, which is outside of the transaction. */
export const findPasskey: Operation<{ credentialId: string }, PasskeyRow | undefined> = {
  name: "find-passkey",
  mode: "read",
  run: (ctx, { credentialId }) =>
    ctx.db.first(passkeyByCredential, { team_id: ctx.teamId, credential_id: credentialId }),
};

/** Whether the challenge counts; it does so once. */
export async function takeChallenge(
  ctx: Context,
  { challenge, challengeEndsAt }: Pick<UsedPasskey, "challenge" | "challengeEndsAt">,
): Promise<boolean> {
  if (challengeEndsAt <= ctx.now) return false;
  const challenge_hash = hash("sha256", challenge, "hex");
  const asked = { team_id: ctx.teamId, challenge_hash, expires_at: challengeEndsAt };
  return (await ctx.db.run(useChallenge, asked)) > 0;
}

/**
 * Notes that the agent has used the passkey. A counter that falls is in the audit log and mailed: the passkey may have been copied.
 * Synced ones have none.
 */
export async function notePasskey(
  ctx: Context,
  agent: AgentRow,
  passkey: PasskeyRow,
  { counter, isSynced }: UsedPasskey,
  userAgent?: string,
): Promise<void> {
  ctx.write(notePasskeyUsed, {
    team_id: ctx.teamId,
    id: passkey.id,
    counter,
    is_synced: isSynced ? 1 : 0,
    last_used_at: ctx.now,
  });
  if (passkey.counter === 0 || counter > passkey.counter) return;
  audit(ctx, { agent: auditedAgent(agent), passkey: passkey.name, outcome: "counter-fell" });
  await mailChange(ctx, agent, "passkey-counter", { userAgent });
}
