import type { Hold, ListedErasure } from "@frontdesk/core/contract/session-privacy";
import type { ErasureRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { NamedHoldRow } from "./list-holds.ts";
import { presentErasure } from "./present-erasure.ts";

export function presentHold({ contact_id, name, email, reason, held_by, held_at, until }: NamedHoldRow): Hold {
  const doer = JSON.parse(held_by) as { agent?: { name: string }; automation?: { name: string } };
  return {
    contact: { id: contact_id, name, email },
    reason,
    held_by: (doer.agent ?? doer.automation)?.name ?? null,
    held_at: isoTime(held_at),
    until: isoTimeOrNull(until),
  };
}

export function presentListedErasure(row: ErasureRow): ListedErasure {
  const { id, attributes } = presentErasure(row);
  return { ...attributes, id, what: row.what };
}
