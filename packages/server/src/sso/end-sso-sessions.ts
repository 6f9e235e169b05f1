import { audit } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import type { LogoutToken } from "./oidc-client.ts";
import { findProvider } from "./sso-provider.ts";
import {
  deleteOldLogouts,
  deleteSessionsOfSid,
  deleteSessionsOfSubject,
  deleteStepsOfSid,
  deleteStepsOfSubject,
  identityBySubject,
  takeLogoutToken,
} from "./sso-store.ts";

/**
 * A provider says that its session is over: ours that it began end, in every process. With `sid` one of them, else all of the
 * subject. Returns how many; undefined for a token that was taken before.
 */
export const endSsoSessions: Operation<{ provider: string; token: LogoutToken }, number | undefined> = {
  name: "end-sso-sessions",
  mode: "write",
  async run(ctx, { provider: key, token }) {
    const provider = await findProvider(ctx, key);
    const of = { team_id: ctx.teamId, provider_id: provider.id };
    ctx.write(deleteOldLogouts, { team_id: ctx.teamId, before: ctx.now });
    const { tokenId: token_id, subject, sid, expiresAt: expires_at } = token;
    if ((await ctx.db.run(takeLogoutToken, { ...of, token_id, expires_at })) === 0) return undefined;
    const identity = subject === undefined ? undefined : await ctx.db.first(identityBySubject, { ...of, subject });
    ctx.db.announce("access");
    let ended = 0;
    if (sid !== undefined) ended = await ctx.db.run(deleteSessionsOfSid, { ...of, sso_sid: sid });
    else if (identity) ended = await ctx.db.run(deleteSessionsOfSubject, { ...of, agent_id: identity.agent_id });
    // A sign-in that waits for its second step is over as well.
    if (sid !== undefined) ctx.write(deleteStepsOfSid, { ...of, sso_sid: sid });
    else if (identity) ctx.write(deleteStepsOfSubject, { ...of, agent_id: identity.agent_id });
    if (ended > 0) audit(ctx, { provider: { id: provider.id, name: provider.name }, sessions: ended });
    return ended;
  },
};
