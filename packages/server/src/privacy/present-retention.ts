import type { Privacy, PrivacyPreview } from "@frontdesk/core/contract";
import { isoTimeOrNull } from "../timestamp.ts";
import type { RetentionPreview } from "./preview-retention.ts";
import type { Retention } from "./retention.ts";

export function presentRetention({ teamId, row, settings, startsAt }: Retention): Privacy {
  return {
    type: "privacy",
    id: teamId,
    attributes: {
      ...settings,
      widgets: [...settings.widgets],
      channels: [...settings.channels],
      starts_at: isoTimeOrNull(startsAt),
      changed_at: isoTimeOrNull(row?.changed_at ?? null),
    },
  };
}

export const presentPreview = ({ teamId, ...attributes }: RetentionPreview): PrivacyPreview => ({
  type: "privacy-previews",
  id: teamId,
  attributes,
});
