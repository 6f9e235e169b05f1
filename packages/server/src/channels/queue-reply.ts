import type { Context } from "../context.ts";
import { ACKNOWLEDGED } from "../email/in/mail-line.ts";
import type { EventFacts } from "../events/event.ts";
import type { CommittedEvent } from "../followers.ts";
import { markQueuesOf } from "../outbox/outbox-store.ts";
import type { QueueRef } from "../outbox/receiver.ts";
import { insertReply } from "./reply-store.ts";
import { waitsOf } from "./reply-waits.ts";

/**
 * Adds a reply to the queue of its conversation's account, in the commit of the message itself, when the channel has a driver.
 * Notes and system lines are events of their own, and are never sent, but for the line that acknowledges a mail.
 *
 * @returns the queue of the account
 */
export function queueReply(
  ctx: Context,
  { facts, stored, beforeLast }: CommittedEvent,
): Promise<QueueRef[]> | undefined {
  if (!isSent(facts) || !ctx.sendingChannels.has(facts.conversation.channel)) return undefined;
  const queue = accountQueue(facts.conversation.account_id);
  const event = { team_id: ctx.teamId, event_id: stored.id };
  ctx.write(insertReply, {
    ...event,
    queue_id: queue.queueId,
    before_last: beforeLast,
    conversation_id: facts.conversation.id,
    message_id: facts.message.id,
    event_name: facts.name,
    attempts: waitsOf(facts.conversation.channel).length + 1,
    created_at: ctx.now,
  });
  ctx.write(markQueuesOf, event);
  return Promise.resolve([queue]);
}

const isSent = (facts: EventFacts): facts is Extract<EventFacts, { name: "message.sent" | "system-line.added" }> =>
  facts.name === "message.sent" ||
  (facts.name === "system-line.added" && facts.said.values.note === ACKNOWLEDGED.values.note);

/** The queue of an account. */
export const accountQueue = (accountId: string): QueueRef => ({ queueId: accountId, receiver: "channel" });
