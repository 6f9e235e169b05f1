import type { Session } from "@frontdesk/core/contract/session";
import type { SessionRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";

/** @param current the id of the session that asks */
export function presentSession(row: SessionRow, current: string): Session {
  return {
    id: row.id,
    is_current: row.id === current,
    created_at: isoTime(row.created_at),
    last_seen_at: isoTime(row.last_seen_at),
    ip: row.ip,
    user_agent: row.user_agent,
  };
}
