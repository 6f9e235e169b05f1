import type { ApiKey } from "@frontdesk/core/contract/session";
import type { ApiKeyRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";

/** An API key as the dashboard shows it: never the key itself. */
export function presentApiKey(row: Omit<ApiKeyRow, "key_hash">): ApiKey {
  return {
    id: row.id,
    name: row.name,
    ending: row.key_ending,
    scopes: JSON.parse(row.scopes),
    agent_id: row.agent_id,
    created_at: isoTime(row.created_at),
    expires_at: timeOrNull(row.expires_at),
    last_used_at: timeOrNull(row.last_used_at),
    revoked_at: timeOrNull(row.revoked_at),
  };
}

const timeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));
