import { policyOf } from "@frontdesk/core/domain/policy";
import { audit } from "./audit/audit.ts";
import { queueReply } from "./channels/queue-reply.ts";
import type { Context } from "./context.ts";
import type { EventFacts } from "./events/event.ts";
import type { QueueRef } from "./outbox/receiver.ts";
import type { EventRow } from "./storage/tables.ts";
import { queueDeliveries } from "./webhooks/queue-deliveries.ts";

/** An event of the commit that is being written. */
export interface CommittedEvent {
  facts: EventFacts;
  /** Its payload. */
  data: object;
  stored: Omit<EventRow, "number">;
  /** How many events of the commit follow it: its number is the last one minus this. */
  beforeLast: number;
}

/**
 * What an event leads to: rows in the commit of the event itself, of the outbox, jobs, timers or a log. It reads and writes
 * through `ctx`, and waits for nothing but the database.
 *
 * @returns the queues of the outbox that have something new, when the statement has run
 */
type Follower = (ctx: Context, event: CommittedEvent) => Promise<QueueRef[]> | undefined;

/**
 * The audit log has a line for each event of an operation whose row of the policy says `audited`, but for those that say how far
 * a message has got: a channel that is deleted is one line.
 */
const auditLine: Follower = (ctx, { facts, data }) => {
  if (policyOf(ctx.operation).audited && facts.name !== "message.delivery-changed") audit(ctx, data);
  return undefined;
};

/** All followers of an event, in their order. A new one is a line here and a file of its own. */
const followers: readonly Follower[] = [auditLine, queueDeliveries, queueReply];

/** Runs every follower of an event; returns the queues to wake after the commit, one promise a follower. */
export function follow(ctx: Context, event: CommittedEvent): Promise<QueueRef[]>[] {
  return followers.flatMap((follower) => follower(ctx, event) ?? []);
}
