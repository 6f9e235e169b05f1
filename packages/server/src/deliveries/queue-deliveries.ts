import { type EventName, events } from "@frontdesk/core/contract";
import type { Context } from "../context.ts";
import type { EventFacts } from "../events/event.ts";
import type { EventRow } from "../storage/tables.ts";
import { queueEvent, queueTestEvent } from "./delivery-store.ts";

/** "Delivery rules" 7: at once, then after each of three waits. */
const ATTEMPTS = 4;

/**
 * Lays an event into the queues of the subscriptions that ask for it, in the commit of the event itself. Events that no
 * subscription can name are left alone. A test event is for one of them, which is told what it shows.
 *
 * @param before_last how many events of the same commit come after it
 * @returns the subscriptions, when the statement has run
 */
export function queueDeliveries(
  ctx: Context,
  event: Pick<EventRow, "id" | "name" | "conversation_id">,
  before_last: number,
  facts: EventFacts,
): Promise<string[]> | undefined {
  const stored = { team_id: ctx.teamId, before_last, event_id: event.id, created_at: ctx.now };
  if (facts.name === "webhook.tested") {
    ctx.write(queueTestEvent, { ...stored, webhook_id: facts.webhook.id, event_name: facts.shows });
    return Promise.resolve([facts.webhook.id]);
  }
  if (!isPublic(event.name)) return undefined;
  const queued = ctx.db.all(queueEvent, {
    ...stored,
    event_name: event.name,
    quoted_name: JSON.stringify(event.name),
    conversation_id: event.conversation_id,
    attempts: ATTEMPTS,
  });
  const webhooks = queued.then((rows) => rows.map(({ webhook_id }) => webhook_id));
  // It is waited for with the commit; until then its failure must not count as unhandled.
  webhooks.catch(() => {});
  return webhooks;
}

/** Whether a subscription can name it. */
const isPublic = (name: string): name is EventName => Object.hasOwn(events, name);
