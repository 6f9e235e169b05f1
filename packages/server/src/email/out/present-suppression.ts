import type { Suppression } from "@frontdesk/core/contract/rest/channels";
import type { MailSuppressionRow } from "../../storage/tables.ts";
import { isoTime } from "../../timestamp.ts";

/** A suppressed address as the REST API shows it. */
export const presentSuppression = ({ address, reason, created_at }: MailSuppressionRow): Suppression => ({
  type: "suppressions",
  id: address,
  attributes: { address, reason, created_at: isoTime(created_at) },
});
