import type { Reason } from "@frontdesk/core/domain/refusal";

/** The status of each refusal in the REST API (specification, "Errors"). */
export function refusalStatus(reason: Reason): number {
  switch (reason.name) {
    case "not-authenticated":
      return 401;
    case "not-allowed":
    case "verify-again":
      return 403;
    case "not-found":
      // The document lists 403 for a missing agent or webhook (decision 24).
      return reason.what === "agent" || reason.what === "webhook" ? 403 : 404;
    case "invalid":
      return 422;
    case "too-large":
      return 413;
    case "conflict":
    // No operation of the REST API has this one.
    case "obstacle":
      return 409;
    case "rate-limited":
      return 429;
    case "unavailable":
      return 503;
    default:
      return reason satisfies never;
  }
}
