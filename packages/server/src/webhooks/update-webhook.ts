import type { EventName } from "@frontdesk/core/contract";
import { nothingToChange } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { stopItems } from "../outbox/outbox-store.ts";
import type { WebhookRow } from "../storage/tables.ts";
import { readEndpointUrl } from "./endpoint-url.ts";
import { findWebhook } from "./get-webhook.ts";
import { webhookQueue } from "./queue-deliveries.ts";
import { eventsOf, requireEventScopes } from "./require-event-scopes.ts";
import { updateWebhookRow } from "./webhook-store.ts";

export interface WebhookChange {
  name?: string | undefined;
  endpointUrl?: string | undefined;
  isActive?: boolean | undefined;
  events?: readonly EventName[] | undefined;
}

/**
 * Changes the given fields, at least one; the secret stays. Switching it off stops what is queued and under way for it before
 * the answer; it is not sent later, unless it is replayed. Decision 16: PATCH /webhooks/{id}.
 *
 * @throws Refusal `not-found`; `invalid`; `not-allowed` as `requireEventScopes`, for the events that the change newly sends
 *   somewhere: new ones, or all with another address or when it is switched on. A key that may not read them may rename it,
 *   switch it off, and remove events.
 */
export const updateWebhook: Operation<{ webhookId: string; change: WebhookChange }, WebhookRow> = {
  name: "update-webhook",
  mode: "write",
  async run(ctx, { webhookId, change }) {
    const before = await findWebhook(ctx, webhookId);
    if (Object.values(change).every((value) => value === undefined)) {
      throw nothingToChange(["name", "endpoint_url", "is_active", "events"]);
    }
    const webhook: WebhookRow = {
      ...before,
      name: change.name ?? before.name,
      endpoint_url: change.endpointUrl === undefined ? before.endpoint_url : readEndpointUrl(change.endpointUrl).href,
      is_active: change.isActive === undefined ? before.is_active : Number(change.isActive),
      events: change.events ? JSON.stringify([...new Set(change.events)]) : before.events,
      updated_at: ctx.now,
    };
    requireEventScopes(ctx.actor, gainedEvents(before, webhook));
    ctx.write(updateWebhookRow, webhook);
    if (before.is_active && !webhook.is_active) {
      ctx.write(stopItems, { team_id: ctx.teamId, queue_id: webhook.id, ended_at: ctx.now });
      ctx.haltQueue(webhookQueue(webhook.id));
    }
    ctx.record({ name: "webhook.updated", webhook });
    return webhook;
  },
};

/** The events that are newly sent to an address. */
function gainedEvents(before: WebhookRow, after: WebhookRow): EventName[] {
  const events = eventsOf(after);
  const isResumed = !before.is_active && after.is_active;
  if (isResumed || after.endpoint_url !== before.endpoint_url) return events;
  const had = eventsOf(before);
  return events.filter((event) => !had.includes(event));
}
