import type { Context } from "../context.ts";
import type { Doer } from "../events/event.ts";
import type { ErasureRow } from "../storage/tables.ts";
import { type ErasedCounts, NOTHING_ERASED } from "./erased-counts.ts";
import { insertErasure } from "./erasure-store.ts";
import { sealedTextPlace } from "./naming.ts";

/** What it is requested for; of a run of retention, nothing. */
type Requested = Partial<Pick<ErasureRow, "contact_id" | "conversation_id" | "message_id" | "widget_id" | "agent_id">>;

interface NewErasure {
  what: ErasureRow["what"];
  of: Requested;
  by: Doer;
  reason?: string | undefined;
  /** What others may repeat: kept, sealed, until it is erased there (`erase-traces.ts`). */
  text?: string | null;
  /** What is erased in this same commit. */
  erased?: Partial<ErasedCounts>;
}

/** Stores a new erasure, in this same commit. */
export function beginErasure(ctx: Context, { what, of, by, reason, text, erased }: NewErasure): ErasureRow {
  const id = ctx.newId();
  const erasure: ErasureRow = {
    team_id: ctx.teamId,
    id,
    what,
    contact_id: null,
    conversation_id: null,
    message_id: null,
    widget_id: null,
    agent_id: null,
    text_sealed: text ? ctx.vault.seal(text, sealedTextPlace(ctx.teamId, id)) : null,
    ...of,
    state: "running",
    reason: reason ?? null,
    requested_by: JSON.stringify(by),
    requested_at: ctx.now,
    finished_at: null,
    erased: JSON.stringify({ ...NOTHING_ERASED, ...erased }),
  };
  ctx.write(insertErasure, erasure);
  return erasure;
}
