import { createHmac } from "node:crypto";
import type { DeliveryHeaders } from "@frontdesk/core/contract";
import type { EventRow, OutboxAttemptRow, OutboxItemRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";

/** The secrets that sign at present; `next` while one is being replaced (decision 43). */
export interface SigningSecrets {
  current: string;
  next: string | undefined;
}

type Sent = Pick<OutboxItemRow, "event_id" | "event_name"> & Pick<EventRow, "data" | "occurred_at" | "version">;
type Attempt = Pick<OutboxAttemptRow, "queue_id" | "id" | "attempt" | "started_at">;

/**
 * The body of a delivery (specification, "Webhook delivery envelope"). A pure function of the stored event, so every
 * attempt of every program sends the same bytes.
 */
export function envelope({ event_id, event_name, data, occurred_at, version }: Sent): string {
  const text = JSON.stringify;
  return `{"id":${text(event_id)},"event":${text(event_name)},"data":${data},"occurred_at":${text(isoTime(occurred_at))},"version":${text(version)}}`;
}

/** The headers of an attempt without its signatures: what the delivery log may show. */
export function unsignedHeaders(event: Pick<Sent, "event_id" | "event_name">, attempt: Attempt) {
  const timestamp = signedAt(attempt);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Frontdesk-Webhooks",
    "X-Service-Event": event.event_name,
    "X-Service-Webhook-Id": attempt.queue_id,
    "X-Service-Delivery-Id": attempt.id,
    "X-Service-Delivery-Attempt": String(attempt.attempt),
    "X-Service-Timestamp": timestamp,
    "webhook-id": event.event_id,
    "webhook-timestamp": timestamp,
  };
}

/** The headers that the secrets add to it (specification, "Authentication"; decisions 42, 43). */
export function signatureHeaders(body: string, eventId: string, attempt: Attempt, { current, next }: SigningSecrets) {
  const timestamp = signedAt(attempt);
  const ours = (secret: string) =>
    `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
  // Standard Webhooks keys with the bytes behind the prefix, and signs its id as well.
  const standard = (secret: string) =>
    `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(`${eventId}.${timestamp}.${body}`)
      .digest("base64")}`;
  return {
    "X-Service-Signature": ours(current),
    ...(next && { "X-Service-Signature-Next": ours(next) }),
    "webhook-signature": [current, ...(next ? [next] : [])].map(standard).join(" "),
  };
}

/** The complete request of an attempt. */
export function signedRequest(event: Sent, attempt: Attempt, secrets: SigningSecrets) {
  const body = envelope(event);
  const headers: DeliveryHeaders & Record<string, string> = {
    ...unsignedHeaders(event, attempt),
    ...signatureHeaders(body, event.event_id, attempt, secrets),
  };
  return { body, headers };
}

/** Unix seconds of signing, as text: set for each attempt when it is claimed. */
const signedAt = ({ started_at }: Attempt): string => String(Math.floor(started_at / 1_000));
