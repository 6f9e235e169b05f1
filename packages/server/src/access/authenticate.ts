import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import { notAllowed, notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { Storage } from "../storage/database.ts";
import type { ApiKeyActor } from "./actor.ts";
import { apiKeyByHash, markApiKeyUsed } from "./api-key-store.ts";
import { tokenHash, tokenTeam } from "./token.ts";

/** `last_used_at` is for people; it is written at most this often for a key. */
const LAST_USED_STEP_MS = 60_000;

/** A key that is valid, and whether its team may use the API at present. */
export interface KnownKey {
  actor: ApiKeyActor;
  apiAccess: boolean;
}

/** Turns the `X-API-KEY` header into an actor (specification, "Authentication"). */
export function createAuthentication(storage: Storage, now: () => number, onFailure: (error: unknown) => void) {
  const lastMarked = new Map<string, number>();

  return {
    /**
     * @throws Refusal `not-authenticated`, one and the same for a missing, malformed, unknown, expired or revoked key
     */
    async apiKey(header: string | undefined): Promise<KnownKey> {
      // The checksum refuses a mistyped key without a look into the database.
      const teamId = header === undefined ? undefined : tokenTeam("key", header);
      if (header === undefined || teamId === undefined) throw notAuthenticated();
      const row = await storage.first(apiKeyByHash, { team_id: teamId, key_hash: tokenHash(header) });
      const moment = now();
      if (!row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= moment)) {
        throw notAuthenticated();
      }
      markUsed(teamId, row.id, row.last_used_at ?? 0, moment);
      return {
        actor: { kind: "api-key", teamId, keyId: row.id, agentId: row.agent_id, scopes: readScopes(row.scopes) },
        apiAccess: row.api_access === 1,
      };
    },
  };

  /** Beside the request: nobody waits for it, and a failure costs nothing but a date. */
  function markUsed(teamId: string, keyId: string, stored: number, moment: number): void {
    if (moment - Math.max(stored, lastMarked.get(keyId) ?? 0) < LAST_USED_STEP_MS) return;
    lastMarked.set(keyId, moment);
    storage
      .write(teamId, (db) => db.run(markApiKeyUsed, { team_id: teamId, id: keyId, last_used_at: moment }))
      .catch(onFailure);
  }
}

/** @throws Refusal `not-allowed` when the team's API access is switched off (decision 29) */
export function requireApiAccess(key: KnownKey): ApiKeyActor {
  if (!key.apiAccess) throw notAllowed("access-off");
  return key.actor;
}

function readScopes(text: string): ApiKeyScope[] {
  const stored = JSON.parse(text) as string[];
  return apiKeyScopes.filter((scope) => stored.includes(scope));
}
