import type { WebhookAttempt } from "@frontdesk/core/contract/resources";
import { t } from "../../texts/texts.ts";

/** `gone`: 410, which is not retried. */
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

/** The result of an attempt: the receiver's answer, or the reason for the failure. */
export function attemptInWords({ outcome, error, status }: WebhookAttempt): string {
  if (outcome === null) return t("hooks.underWay");
  const known = errors.find((each) => each === error);
  if (known) return t(`hooks.error.${known}`);
  return status === null ? (error ?? "") : t("hooks.answered", { status: String(status) });
}
