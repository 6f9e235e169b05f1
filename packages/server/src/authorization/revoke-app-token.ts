import { tokenHash, tokenTeam } from "../access/token.ts";
import { assistantById } from "../assistants/assistant-store.ts";
import { audit } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { tokensByAccess, tokensByRefresh } from "./app-grant-store.ts";
import { endGrant } from "./end-grant.ts";

/**
 * An app gives its tokens back (RFC 7009), the person having disconnected it there: the grant ends, the connection stays. An unknown
 * token, or one of another app, changes nothing.
 */
export const revokeAppToken: Operation<{ token: string; clientId: string | undefined }, void> = {
  name: "revoke-app-token",
  mode: "write",
  async run(ctx, { token, clientId }) {
    const hash = tokenHash(token);
    const known =
      tokenTeam("refresh", token) === undefined
        ? await ctx.db.first(tokensByAccess, { team_id: ctx.teamId, access_hash: hash })
        : await ctx.db.first(tokensByRefresh, { team_id: ctx.teamId, refresh_hash: hash });
    if (!known || (clientId !== undefined && known.client_id !== clientId)) return;
    endGrant(ctx, known.grant_id);
    const assistant = await ctx.db.first(assistantById, { team_id: ctx.teamId, id: known.assistant_id });
    if (assistant) audit(ctx, { assistant: { id: assistant.id, name: assistant.name } });
  },
};
