import type { WebhookAttempt } from "@frontdesk/core/contract/resources";
import { t } from "../../texts/texts.ts";

/** `gone`: 410, which is not tried again. */
const errors = [
  "gone",
  "timeout",
  "blocked_address",
  "dns",
  "connect",
  "tls",
  "reset",
  "protocol",
  "internal",
  "stopped",
] as const;

/** How an attempt ended: what the receiver answered, or why it could not. */
export function attemptInWords({ outcome, error, status }: WebhookAttempt): string {
  if (outcome === null) return t("hooks.underWay");
  const known = errors.find((each) => each === error);
  if (known) return t(`hooks.error.${known}`);
  return status === null ? (error ?? "") : t("hooks.answered", { status: String(status) });
}
