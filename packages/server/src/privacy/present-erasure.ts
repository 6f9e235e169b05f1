import type { Erasure } from "@frontdesk/core/contract";
import type { ErasureRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import { erasedCounts } from "./erased-counts.ts";

export function presentErasure({
  id,
  state,
  contact_id,
  widget_id,
  requested_at,
  finished_at,
  erased,
}: ErasureRow): Erasure {
  return {
    type: "erasures",
    id,
    attributes: {
      state: state === "done" ? "done" : "running",
      contact_id,
      widget_id,
      requested_at: isoTime(requested_at),
      finished_at: isoTimeOrNull(finished_at),
      erased: erasedCounts(erased),
    },
  };
}
