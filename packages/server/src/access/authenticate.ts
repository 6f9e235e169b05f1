import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import { notAllowed, notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { Storage } from "../storage/database.ts";
import type { ApiKeyActor } from "./actor.ts";
import { apiKeyByHash, markApiKeyUsed } from "./api-key-store.ts";
import { tokenHash, tokenTeam } from "./token.ts";

/** `last_used_at` is for people; it is written at most this often for a key. */
const LAST_USED_STEP_MS = 60_000;
/** More keys in use at once than this are looked up anew; it bounds the memory, not the keys. */
const MAX_KEYS_IN_MEMORY = 10_000;

/** A key that is valid, and whether its team may use the API at present. */
export interface KnownKey {
  actor: ApiKeyActor;
  apiAccess: boolean;
}

/** A key as the database had it at this version of `access`. */
interface KeyInMemory extends KnownKey {
  expiresAt: number | null;
  /** When its use was last noted, as far as this process knows. */
  notedAt: number;
}

/**
 * Turns the `X-API-KEY` header into an actor (specification, "Authentication").
 *
 * Keys are kept in memory as long as the storage's version of `access` stays the same: a key that is revoked, or a team
 * that is switched off, in this process or another, is looked up anew.
 */
export function createAuthentication(storage: Storage, now: () => number, onFailure: (error: unknown) => void) {
  const inMemory = new Map<string, KeyInMemory>();
  let versionInMemory: string | undefined;

  return {
    /**
     * @throws Refusal `not-authenticated`, one and the same for a missing, malformed, unknown, expired or revoked key
     */
    async apiKey(header: string | undefined): Promise<KnownKey> {
      if (header === undefined) throw notAuthenticated();
      const hash = tokenHash(header);
      const key = recall(hash) ?? (await lookUp(header, hash));
      const moment = now();
      if (key.expiresAt !== null && key.expiresAt <= moment) throw notAuthenticated();
      if (moment - key.notedAt >= LAST_USED_STEP_MS) noteUse(key, moment);
      return key;
    },
  };

  function recall(hash: string): KeyInMemory | undefined {
    const version = storage.version("access");
    if (version === undefined || version !== versionInMemory) {
      inMemory.clear();
      versionInMemory = version;
    }
    return inMemory.get(hash);
  }

  async function lookUp(header: string, hash: string): Promise<KeyInMemory> {
    // The checksum refuses a mistyped key without a look into the database.
    const teamId = tokenTeam("key", header);
    if (teamId === undefined) throw notAuthenticated();
    const version = storage.version("access");
    const row = await storage.first(apiKeyByHash, { team_id: teamId, key_hash: hash });
    if (!row || row.revoked_at !== null) throw notAuthenticated();
    const key: KeyInMemory = {
      actor: { kind: "api-key", teamId, keyId: row.id, agentId: row.agent_id, scopes: readScopes(row.scopes) },
      apiAccess: row.api_access === 1,
      expiresAt: row.expires_at,
      notedAt: row.last_used_at ?? 0,
    };
    if (inMemory.size >= MAX_KEYS_IN_MEMORY) inMemory.clear();
    // Not kept when something was announced since the look-up began: the row may be from before it.
    if (version !== undefined && version === storage.version("access") && version === versionInMemory) {
      inMemory.set(hash, key);
    }
    return key;
  }

  /** Beside the request: nobody waits for it, and a failure costs nothing but a date. */
  function noteUse(key: KeyInMemory, moment: number): void {
    key.notedAt = moment;
    const { teamId, keyId } = key.actor;
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
