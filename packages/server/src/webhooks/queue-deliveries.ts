import { type EventName, events } from "@frontdesk/core/contract";
import type { Context } from "../context.ts";
import type { CommittedEvent } from "../followers.ts";
import { markQueuesOf } from "../outbox/outbox-store.ts";
import type { QueueRef } from "../outbox/receiver.ts";
import { queueEvent, queueTestEvent } from "./delivery-store.ts";

/** "Delivery rules" 7: at once, then after each of three waits. */
const ATTEMPTS = 4;

/**
 * Adds an event to the queues of the subscriptions that name it, in the commit of the event itself. Events that no subscription
 * can name are skipped. A test event is for one of them, under the name of the event that it shows.
 *
 * @returns the queues, when the statement has run
 */
export function queueDeliveries(
  ctx: Context,
  { facts, stored, beforeLast }: CommittedEvent,
): Promise<QueueRef[]> | undefined {
  const event = {
    team_id: ctx.teamId,
    before_last: beforeLast,
    event_id: stored.id,
    created_at: ctx.now,
  };
  if (facts.name === "webhook.tested") {
    ctx.write(queueTestEvent, { ...event, queue_id: facts.webhook.id, event_name: facts.shows });
    ctx.write(markQueuesOf, event);
    return Promise.resolve([webhookQueue(facts.webhook.id)]);
  }
  if (!isPublic(stored.name)) return undefined;
  const queued = ctx.db.all(queueEvent, {
    ...event,
    event_name: stored.name,
    quoted_name: JSON.stringify(stored.name),
    conversation_id: stored.conversation_id,
    attempts: ATTEMPTS,
  });
  const queues = queued.then((rows) => {
    // An event without a subscription costs no second statement.
    if (rows.length > 0) ctx.write(markQueuesOf, event);
    return rows.map(({ queue_id }) => webhookQueue(queue_id));
  });
  // It is awaited with the commit; until then its failure must not count as unhandled.
  queues.catch(() => {});
  return queues;
}

/** The queue of a subscription. */
export const webhookQueue = (webhookId: string): QueueRef => ({ queueId: webhookId, receiver: "webhook" });

/** Whether a subscription can name it. */
const isPublic = (name: string): name is EventName => Object.hasOwn(events, name);
