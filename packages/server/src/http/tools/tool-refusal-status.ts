import type { Reason } from "@frontdesk/core/domain/refusal";
import { refusalStatus } from "../framework/refusal-status.ts";

/** The status of each refusal at `/tools` (decision 61): something named was not found, or the tool refuses. */
export function toolRefusalStatus(reason: Reason): number {
  switch (reason.name) {
    case "not-found":
      return reason.what === "tool" || reason.what === "conversation" || reason.what === "contact" ? 404 : 422;
    case "obstacle":
      return 422;
    default:
      return refusalStatus(reason);
  }
}
