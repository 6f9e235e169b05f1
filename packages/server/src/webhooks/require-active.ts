import { invalid } from "@frontdesk/core/domain/refusal";
import type { WebhookRow } from "../storage/tables.ts";

/** @throws Refusal `invalid` when nothing may be sent to the subscription */
export function requireActive({ is_active }: WebhookRow): void {
  if (!is_active) throw invalid({ webhook: "webhook-off" });
}
