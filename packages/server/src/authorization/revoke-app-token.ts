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
    const find = tokenTeam("refresh", token) === undefined ? tokensByAccess : tokensByRefresh;
    const known = await ctx.db.first(find, { team_id: ctx.teamId, hash: tokenHash(token) });
    if (!known || (clientId !== undefined && known.client_id !== clientId)) return;
    endGrant(ctx, known.grant_id);
    const assistant = await ctx.db.first(assistantById, { team_id: ctx.teamId, id: known.assistant_id });
    if (assistant) audit(ctx, { assistant: { id: assistant.id, name: assistant.name } });
  },
};
