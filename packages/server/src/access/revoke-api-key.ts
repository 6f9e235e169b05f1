import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { ApiKeyRow } from "../storage/tables.ts";
import { apiKeyById, revokeApiKeyRow } from "./api-key-store.ts";

/** Ends an API key at once and for good (decision 29). Revoking a revoked one changes nothing and records nothing. */
export const revokeApiKey: Operation<{ keyId: string }, ApiKeyRow> = {
  name: "revoke-api-key",
  mode: "write",
  async run(ctx, { keyId }) {
    const id = canonicalId(keyId);
    const key = id && (await ctx.db.first(apiKeyById, { team_id: ctx.teamId, id }));
    if (!key) throw notFound("api-key");
    if (key.revoked_at !== null) return key;
    ctx.db.announce("access");
    ctx.write(revokeApiKeyRow, { team_id: ctx.teamId, id: key.id, revoked_at: ctx.now });
    ctx.record({ name: "api-key.revoked", key: { id: key.id, name: key.name, agent_id: key.agent_id } });
    return { ...key, revoked_at: ctx.now };
  },
};
