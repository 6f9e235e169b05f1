import type { Suppression } from "@frontdesk/core/contract/rest/channels";
import type { ShownSuppression } from "@frontdesk/core/contract/session-channels";
import { presentNamed, saidReason } from "../../channels/stored-reason.ts";
import type { MailSuppressionRow } from "../../storage/tables.ts";
import { isoTime } from "../../timestamp.ts";

/** A suppressed address as the REST API shows it. */
export const presentSuppression = ({ address, reason, created_at }: MailSuppressionRow): Suppression => ({
  type: "suppressions",
  id: address,
  attributes: { address, reason, created_at: isoTime(created_at) },
});

/** The same as the dashboard shows it, with the reason by name. */
export function presentShownSuppression(row: MailSuppressionRow): ShownSuppression {
  const { address, reason, created_at } = row;
  const { named } = saidReason(reason, row.reason_named);
  return { address, reason, named_reason: named ? presentNamed(named) : null, created_at: isoTime(created_at) };
}
