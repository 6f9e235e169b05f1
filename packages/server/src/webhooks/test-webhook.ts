import type { EventName } from "@frontdesk/core/contract";
import type { Operation } from "../context.ts";
import { newEventId } from "../events/record-event.ts";
import type { OutboxItemRow } from "../storage/tables.ts";
import { findWebhook } from "./get-webhook.ts";
import { webhookQueue } from "./queue-deliveries.ts";
import { requireActive } from "./require-active.ts";
import { eventsOf, requireEventScopes } from "./require-event-scopes.ts";

/**
 * Queues an example of an event for this subscription alone, in one attempt. `event`: the first of its own when
 * undefined. A repeat sends another one. Decision 16: POST /webhooks/{id}/test.
 *
 * @throws Refusal `not-found`; `invalid` while it is switched off; `not-allowed` as `requireEventScopes`
 */
export const testWebhook: Operation<{ webhookId: string; event: EventName | undefined }, OutboxItemRow> = {
  name: "test-webhook",
  mode: "write",
  async run(ctx, { webhookId, event }) {
    const webhook = await findWebhook(ctx, webhookId);
    requireActive(webhook);
    const shows = event ?? eventsOf(webhook)[0];
    if (shows === undefined) throw new Error(`Subscription ${webhook.id} names no event.`);
    requireEventScopes(ctx.actor, [shows]);
    const eventId = newEventId(ctx);
    ctx.record({ name: "webhook.tested", webhook, shows, eventId });
    return {
      team_id: ctx.teamId,
      queue_id: webhook.id,
      // Set at the commit.
      event_number: 0,
      receiver: webhookQueue(webhook.id).receiver,
      event_id: eventId,
      event_name: shows,
      order_key: null,
      state: "waiting",
      attempt: 1,
      last_attempt: 1,
      run_at: 0,
      claim_id: null,
      created_at: ctx.now,
      ended_at: null,
      message_id: null,
    };
  },
};
