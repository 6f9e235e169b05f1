import type { AuditEntry } from "@frontdesk/core/contract/session";
import { isoTime } from "../timestamp.ts";
import type { NamedAuditRow } from "./audit-store.ts";

/** A line of the audit log as the dashboard shows it. */
export function presentAuditEntry(row: NamedAuditRow): AuditEntry {
  return {
    id: row.id,
    at: isoTime(row.at),
    actor: { kind: row.actor_kind as AuditEntry["actor"]["kind"], id: row.actor_id, name: row.actor_name },
    action: row.action,
    what: JSON.parse(row.what),
    ip: row.ip,
  };
}
