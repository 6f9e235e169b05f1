import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { agentById } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { Browser } from "../factors/known-browser.ts";
import { passkeyByCredential } from "../factors/passkey-store.ts";
import { notePasskey, takeChallenge, type UsedPasskey } from "../factors/use-passkey.ts";
import { type OpenedSession, openSession, waitingSignIn } from "./open-session.ts";

/**
 * Signs an agent in with a passkey whose signature was right: both factors at once, so that nothing more is asked. Where their sign-in
 * by SSO waits for the second step, it is that one.
 *
 * @throws Refusal `not-authenticated` for one that was removed meanwhile, an agent who is not active, and a challenge that was used
 */
export const signInWithPasskey: Operation<
  UsedPasskey & { browser: Browser; secondStep: string | undefined },
  OpenedSession
> = {
  name: "sign-in-with-passkey",
  mode: "write",
  async run(ctx, used) {
    const { credentialId: credential_id, browser, secondStep } = used;
    const passkey = await ctx.db.first(passkeyByCredential, { team_id: ctx.teamId, credential_id });
    const agent = passkey && (await ctx.db.first(agentById, { team_id: ctx.teamId, id: passkey.agent_id }));
    if (passkey === undefined || agent?.status !== "active" || !(await takeChallenge(ctx, used))) {
      throw notAuthenticated("passkey");
    }
    await notePasskey(ctx, agent, passkey, used, browser.userAgent);
    const waiting = secondStep === undefined ? undefined : await waitingSignIn(ctx, secondStep);
    const sso = waiting?.agentId === agent.id ? waiting.sso : undefined;
    if (sso) waiting?.end();
    const opened = await openSession(ctx, agent, { wayIn: sso ? "sso" : "passkey", browser, proved: true, sso });
    if (opened.outcome !== "session") throw new Error("A second step is asked for after a passkey.");
    return opened;
  },
};
