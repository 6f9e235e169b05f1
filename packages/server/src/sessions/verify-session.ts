import { invalid } from "@frontdesk/core/domain/refusal";
import { newToken, tokenHash } from "../access/token.ts";
import { findAgent } from "../agents/find-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { type CodeVerdict, checkCode } from "../factors/check-code.ts";
import { passkeyByCredential } from "../factors/passkey-store.ts";
import { notePasskey, takeChallenge, type UsedPasskey } from "../factors/use-passkey.ts";
import type { AgentRow } from "../storage/tables.ts";
import { replaceSessionToken } from "./session-store.ts";
import { signedInAgent } from "./signed-in-agent.ts";

/** What shows who is there: the hash of the password that was entered and fitted, a code of the app, or the agent's own passkey. */
export type Proof = { passwordHash: string } | { code: string } | { passkey: UsedPasskey };

/** `token` is the new one, for the cookie. */
export type VerifiedSession = { verdict: "right"; token: string } | Exclude<CodeVerdict, { verdict: "right" }>;

/**
 * The agent has proved again who they are. The session gets a new token: one that was stolen before does not profit. A wrong code
 * is a value, and is counted.
 *
 * @throws Refusal `invalid` on `password` when the password has changed since, on `passkey` when it is gone or its challenge was used
 */
export const verifySession: Operation<Proof, VerifiedSession> = {
  name: "verify-session",
  mode: "write",
  async run(ctx, proof) {
    const { agentId } = signedInAgent(ctx);
    const agent = await findAgent(ctx, agentId);
    if ("passwordHash" in proof && agent.password_hash !== proof.passwordHash) {
      throw invalid({ password: "wrong-password" });
    }
    if ("code" in proof) {
      const checked = await checkCode(ctx, agentId, proof);
      if (checked.verdict !== "right") {
        audit(ctx, { agent: auditedAgent(agent), outcome: checked.verdict });
        return checked;
      }
    }
    if ("passkey" in proof) await takePasskey(ctx, agent, proof.passkey);
    const token = renewSessionToken(ctx);
    audit(ctx, { agent: auditedAgent(agent) });
    return { verdict: "right", token };
  },
};

/** The session of the agent is proved from now on, and has this new token. */
export function renewSessionToken(ctx: Context): string {
  const { sessionId } = signedInAgent(ctx);
  const token = newToken("session", ctx.teamId, ctx.random);
  ctx.write(replaceSessionToken, {
    team_id: ctx.teamId,
    id: sessionId,
    token_hash: tokenHash(token),
    verified_at: ctx.now,
  });
  // Other processes have cached the time of the last proof.
  ctx.db.announce("access");
  return token;
}

async function takePasskey(ctx: Context, agent: AgentRow, used: UsedPasskey): Promise<void> {
  const asked = { team_id: ctx.teamId, credential_id: used.credentialId };
  const passkey = await ctx.db.first(passkeyByCredential, asked);
  if (passkey?.agent_id !== agent.id || !(await takeChallenge(ctx, used))) {
    throw invalid({ passkey: "passkey-unknown" });
  }
  await notePasskey(ctx, agent, passkey, used);
}
