import { canAct } from "@frontdesk/core/domain/agent";
import { scopesOfAgent } from "@frontdesk/core/domain/policy";
import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { Storage } from "../storage/database.ts";
import type { ApiKeyActor } from "./actor.ts";
import { apiKeyByHash, givenScopes, markApiKeyUsed } from "./api-key-store.ts";
import type { NoteUse } from "./note-use.ts";
import { remembered } from "./remembered.ts";
import { tokenHash, tokenTeam } from "./token.ts";

/** A key that is valid, and whether it may be used at present. */
export interface KnownKey {
  actor: ApiKeyActor;
  /** Whether its team's API access is on. */
  apiAccess: boolean;
  /** Whether its agent is not deactivated. */
  agentCanAct: boolean;
}

/** A key as it was in the database at this version of `access`. */
interface KeyInMemory extends KnownKey {
  expiresAt: number | null;
  notedAt: number;
}

export function authenticateKeys(storage: Storage, now: () => number, noteUse: NoteUse) {
  const keys = remembered<KeyInMemory>(storage);

  /** @throws Refusal `not-authenticated`, the same for a missing, malformed, unknown, expired or revoked key */
  return async (header: string | undefined): Promise<KnownKey> => {
    if (header === undefined) throw notAuthenticated();
    const hash = tokenHash(header);
    const key = await keys.get(hash, () => lookUp(storage, header, hash));
    if (key.expiresAt !== null && key.expiresAt <= now()) throw notAuthenticated();
    noteUse(key, key.actor.keyId, markApiKeyUsed);
    return key;
  };
}

async function lookUp(storage: Storage, header: string, hash: string): Promise<KeyInMemory> {
  // The checksum refuses a mistyped key without reading the database.
  const teamId = tokenTeam("key", header);
  if (teamId === undefined) throw notAuthenticated();
  const row = await storage.first(apiKeyByHash, { team_id: teamId, key_hash: hash });
  if (!row || row.revoked_at !== null) throw notAuthenticated();
  const agent = { role: row.agent_role, status: row.agent_status };
  // A key may do no more than its agent may at present (docs/decisions/0031-power-of-keys.md).
  const ofAgent = scopesOfAgent(agent);
  const scopes = givenScopes(row).filter((scope) => ofAgent.includes(scope));
  return {
    actor: { kind: "api-key", teamId, keyId: row.id, agentId: row.agent_id, scopes },
    apiAccess: row.api_access === 1,
    agentCanAct: canAct(agent),
    expiresAt: row.expires_at,
    notedAt: row.last_used_at ?? 0,
  };
}
