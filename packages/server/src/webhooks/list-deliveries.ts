import type { EventName } from "@frontdesk/core/contract";
import type { DeliveryState } from "@frontdesk/core/domain/delivery-state";
import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Context, Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { attemptsOf, itemPage, itemTotal, type ShortAttemptRow } from "../outbox/outbox-log-store.ts";
import { someItems } from "../outbox/outbox-store.ts";
import type { OutboxItemRow } from "../storage/tables.ts";
import { findWebhook } from "./get-webhook.ts";

/** A delivery with its latest attempt, if there has been one. */
export interface ListedDelivery {
  delivery: OutboxItemRow;
  lastAttempt: ShortAttemptRow | undefined;
}

/** The deliveries of a subscription, newest event first. Decision 16: GET /webhooks/{id}/deliveries. */
export const listDeliveries: Operation<
  PageRequest & { webhookId: string; state: DeliveryState | undefined; event: EventName | undefined },
  Listed<ListedDelivery>
> = {
  name: "list-webhook-deliveries",
  mode: "read",
  async run(ctx, { webhookId, state, event, ...page }) {
    const webhook = await findWebhook(ctx, webhookId);
    const filter = { team_id: ctx.teamId, queue_id: webhook.id, state: state ?? null, event: event ?? null };
    const [counted, deliveries] = await Promise.all([
      ctx.db.first(itemTotal, filter),
      ctx.db.all(itemPage, { ...filter, ...pageWindow(page) }),
    ]);
    const latest = await latestAttempts(ctx, webhook.id, deliveries);
    const rows = deliveries.map((delivery) => ({ delivery, lastAttempt: latest.get(delivery.event_number) }));
    return { rows, total: counted?.total ?? 0 };
  },
};

async function latestAttempts(ctx: Context, queue_id: string, deliveries: readonly OutboxItemRow[]) {
  if (deliveries.length === 0) return new Map<number, ShortAttemptRow>();
  const some = someItems(deliveries.map(({ event_number }) => event_number));
  const attempts = await ctx.db.all(attemptsOf, { team_id: ctx.teamId, queue_id, ...some });
  // Oldest first, so that the last of each delivery stays.
  return new Map(attempts.map((attempt) => [attempt.event_number, attempt]));
}
