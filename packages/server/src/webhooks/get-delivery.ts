import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { attemptLog, type ItemWithEvent, itemWithEvent } from "../outbox/outbox-log-store.ts";
import type { OutboxAttemptRow } from "../storage/tables.ts";
import { findWebhook } from "./get-webhook.ts";
import { requireEventScopes } from "./require-event-scopes.ts";

/** The form of `newEventId`. Another text is the id of nothing, and may be one that a database does not even accept. */
const EVENT_ID = /^evt_[0-9a-f]{32}$/;

/**
 * One delivery with all its attempts, bodies included. Decision 16: GET /webhooks/{id}/deliveries/{delivery}.
 *
 * @throws Refusal `not-found`; `not-allowed` as `requireEventScopes`
 */
export const getDelivery: Operation<
  { webhookId: string; eventId: string },
  { delivery: ItemWithEvent; attempts: OutboxAttemptRow[] }
> = {
  name: "get-webhook-delivery",
  mode: "read",
  async run(ctx, { webhookId, eventId }) {
    const webhook = await findWebhook(ctx, webhookId);
    const delivery = await findDelivery(ctx, webhook.id, eventId);
    requireEventScopes(ctx.actor, [delivery.event_name]);
    const { team_id, queue_id, event_number } = delivery;
    const attempts = await ctx.db.all(attemptLog, { team_id, queue_id, event_number });
    return { delivery, attempts };
  },
};

/** @throws Refusal `not-found` when the subscription has no delivery of such an event */
export async function findDelivery(ctx: Context, queue_id: string, event_id: string): Promise<ItemWithEvent> {
  const known = EVENT_ID.test(event_id);
  const delivery = known && (await ctx.db.first(itemWithEvent, { team_id: ctx.teamId, queue_id, event_id }));
  if (!delivery) throw notFound("delivery");
  return delivery;
}
