import type { ContactExport } from "@frontdesk/core/contract";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { ShownExport } from "./shown-export.ts";

export function presentExport({ row, state, expiresAt, url }: ShownExport): ContactExport {
  return {
    type: "exports",
    id: row.id,
    attributes: {
      state,
      contact_id: row.contact_id,
      include_notes: row.include_notes === 1,
      requested_at: isoTime(row.requested_at),
      finished_at: isoTimeOrNull(row.finished_at),
      expires_at: isoTimeOrNull(expiresAt),
      size: row.size,
      url,
    },
  };
}
