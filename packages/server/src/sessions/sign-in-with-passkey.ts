import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { agentById } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { Browser } from "../factors/known-browser.ts";
import { passkeyByCredential } from "../factors/passkey-store.ts";
import { notePasskey, takeChallenge, type UsedPasskey } from "../factors/use-passkey.ts";
import { type OpenedSession, openSession } from "./open-session.ts";

/**
 * Signs an agent in with a passkey whose signature was right: both factors at once, so that nothing more is asked.
 *
 * @throws Refusal `not-authenticated` for one that was removed meanwhile, an agent who is not active, and a challenge that was used
 */
export const signInWithPasskey: Operation<UsedPasskey & { browser: Browser }, OpenedSession> = {
  name: "sign-in-with-passkey",
  mode: "write",
  async run(ctx, used) {
    const { credentialId: credential_id, browser } = used;
    const passkey = await ctx.db.first(passkeyByCredential, { team_id: ctx.teamId, credential_id });
    const agent = passkey && (await ctx.db.first(agentById, { team_id: ctx.teamId, id: passkey.agent_id }));
    if (passkey === undefined || agent?.status !== "active" || !(await takeChallenge(ctx, used))) {
      throw notAuthenticated("passkey");
    }
    await notePasskey(ctx, agent, passkey, used, browser.userAgent);
    const opened = await openSession(ctx, agent, { wayIn: "passkey", browser, proved: true });
    if (opened.outcome !== "session") throw new Error("A second step is asked for after a passkey.");
    return opened;
  },
};
