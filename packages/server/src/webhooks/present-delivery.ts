import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryLog } from "@frontdesk/core/contract";
import type { DeliveryState } from "@frontdesk/core/domain/delivery-state";
import type { ItemWithEvent, ShortAttemptRow } from "../outbox/outbox-log-store.ts";
import type { OutboxAttemptRow, OutboxItemRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { ListedDelivery } from "./list-deliveries.ts";
import { envelope, unsignedHeaders } from "./signed-request.ts";

/** Headers of a response whose values are secrets. */
const HIDDEN_HEADERS = new Set(["set-cookie", "authorization", "www-authenticate"]);

/** A delivery as the log lists it. */
export function presentDelivery({ delivery, lastAttempt }: ListedDelivery): WebhookDelivery {
  return {
    type: "webhook-delivery",
    id: delivery.event_id,
    attributes: { ...attributesOf(delivery), last_attempt: lastAttempt ? attemptOf(lastAttempt) : null },
  };
}

/** A delivery with the request and the response of every attempt. */
export function presentDeliveryLog({
  delivery,
  attempts,
}: {
  delivery: ItemWithEvent;
  attempts: readonly OutboxAttemptRow[];
}): WebhookDeliveryLog {
  const body = envelope(delivery);
  return {
    type: "webhook-delivery",
    id: delivery.event_id,
    attributes: {
      ...attributesOf(delivery),
      attempts: attempts.map((attempt) => ({
        ...attemptOf(attempt),
        request: { headers: unsignedHeaders(delivery, attempt), body },
        response:
          attempt.response_head === null
            ? null
            : { headers: readHead(attempt.response_head), body: attempt.response_body ?? "" },
      })),
    },
  };
}

function attributesOf(row: OutboxItemRow) {
  return {
    event: row.event_name,
    state: row.state as DeliveryState,
    attempt: row.attempt,
    max_attempts: row.last_attempt,
    next_attempt_at: row.state === "waiting" && row.attempt > 1 ? isoTime(row.run_at) : null,
    created_at: isoTime(row.created_at),
    ended_at: isoTimeOrNull(row.ended_at),
  };
}

function attemptOf(row: ShortAttemptRow): WebhookAttempt {
  return {
    id: row.id,
    attempt: row.attempt,
    endpoint_url: row.address,
    started_at: isoTime(row.started_at),
    duration_ms: row.duration_ms,
    outcome: row.outcome as WebhookAttempt["outcome"],
    error: row.error,
    status: row.status,
  };
}

function readHead(text: string): Record<string, string> {
  const head = JSON.parse(text) as Record<string, string | string[]>;
  const shown = Object.entries(head).map(([name, value]) => [name, HIDDEN_HEADERS.has(name) ? "…" : String(value)]);
  return Object.fromEntries(shown);
}
