import type { ContactHold } from "@frontdesk/core/contract/inbox";
import type { Doer } from "../events/event.ts";
import type { HoldRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";

export function presentHold({ reason, held_by, held_at, until }: HoldRow): ContactHold {
  const by = JSON.parse(held_by) as Doer;
  const named = "agent" in by ? by.agent : "automation" in by ? by.automation : undefined;
  return { reason, held_by: named?.name ?? null, held_at: isoTime(held_at), until: isoTimeOrNull(until) };
}
