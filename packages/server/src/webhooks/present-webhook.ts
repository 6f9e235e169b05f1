import type { CreatedWebhook, RotatedWebhook, Webhook } from "@frontdesk/core/contract";
import type { WebhookRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";

/** A subscription as the REST API shows it: `attributes` is an array with one object (decision 13). */
export function presentWebhook(row: WebhookRow): Webhook {
  return { type: "webhook", id: row.id, attributes: [attributesOf(row)] };
}

/** The answer that creates a subscription: the only one that ever contains the signing secret. */
export function presentCreatedWebhook(row: WebhookRow, signingSecret: string): CreatedWebhook {
  return { type: "webhook", id: row.id, attributes: [{ ...attributesOf(row), signing_secret: signingSecret }] };
}

/** The answer of a rotation: the new secret, once, and when it signs alone. */
export function presentRotatedWebhook(row: WebhookRow, signingSecret: string, takesOverAt: number): RotatedWebhook {
  const attributes = { ...attributesOf(row), signing_secret: signingSecret, takes_over_at: isoTime(takesOverAt) };
  return { type: "webhook", id: row.id, attributes: [attributes] };
}

function attributesOf(row: WebhookRow) {
  return {
    name: row.name,
    endpoint_url: row.endpoint_url,
    is_active: row.is_active === 1,
    events: JSON.parse(row.events) as string[],
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
