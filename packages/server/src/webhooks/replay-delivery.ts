import { invalid, Refusal } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { isErased } from "../events/erased-event.ts";
import { REPLAY_RUN_AT } from "../outbox/outbox-item.ts";
import { eventsOfFailedRows, replayFailedRows, replayItemRow } from "../outbox/outbox-log-store.ts";
import { markQueueDue } from "../outbox/outbox-store.ts";
import type { OutboxItemRow } from "../storage/tables.ts";
import { findDelivery } from "./get-delivery.ts";
import { findWebhook } from "./get-webhook.ts";
import { webhookQueue } from "./queue-deliveries.ts";
import { requireActive } from "./require-active.ts";
import { requireEventScopes } from "./require-event-scopes.ts";

/**
 * Queues a delivery that has ended once more, from attempt 1, with the same event id and bytes. One that is on its way is left
 * unchanged. Decision 16: POST /webhooks/{id}/deliveries/{delivery}/replay.
 *
 * @throws Refusal `not-found`; `invalid` while the subscription is switched off; `not-allowed` as `requireEventScopes`; `conflict` when
 * what it says was erased
 */
export const replayDelivery: Operation<{ webhookId: string; eventId: string }, OutboxItemRow> = {
  name: "replay-webhook-delivery",
  mode: "write",
  async run(ctx, { webhookId, eventId }) {
    const webhook = await findWebhook(ctx, webhookId);
    requireActive(webhook);
    const { data, occurred_at: _, version: __, ...delivery } = await findDelivery(ctx, webhook.id, eventId);
    requireEventScopes(ctx.actor, [delivery.event_name]);
    if (isErased({ data })) throw new Refusal({ name: "conflict" }, "delivery-erased");
    if (delivery.ended_at === null) return delivery;
    const { team_id, queue_id, event_number } = delivery;
    ctx.write(replayItemRow, { team_id, queue_id, event_number, run_at: REPLAY_RUN_AT });
    wakeReplayed(ctx, queue_id);
    return { ...delivery, state: "waiting", attempt: 1, run_at: REPLAY_RUN_AT, ended_at: null };
  },
};

/**
 * Queues every delivery that failed or was stopped once more, of the events since a given time; returns how many. A repeat
 * finds those that have failed again. Those that were erased are left out. POST /webhooks/{id}/replay.
 *
 * @throws Refusal as `replayDelivery`; none is queued when a key may not have one of them
 */
export const replayFailedDeliveries: Operation<{ webhookId: string; since: number }, number> = {
  name: "replay-failed-webhook-deliveries",
  mode: "write",
  async run(ctx, { webhookId, since }) {
    // The schema accepts a leap second, and JavaScript's clock has none.
    if (Number.isNaN(since)) throw invalid({ since: "not-a-time" });
    const webhook = await findWebhook(ctx, webhookId);
    requireActive(webhook);
    const name = { team_id: ctx.teamId, queue_id: webhook.id };
    const events = await ctx.db.all(eventsOfFailedRows, { ...name, since });
    requireEventScopes(
      ctx.actor,
      events.map(({ event_name }) => event_name),
    );
    const replayed = await ctx.db.run(replayFailedRows, { ...name, since, run_at: REPLAY_RUN_AT });
    if (replayed > 0) wakeReplayed(ctx, webhook.id);
    return replayed;
  },
};

function wakeReplayed(ctx: Context, queue_id: string): void {
  ctx.write(markQueueDue, { team_id: ctx.teamId, queue_id, due_at: REPLAY_RUN_AT });
  ctx.wakeQueue(webhookQueue(queue_id));
}
