import { policyOf } from "@frontdesk/core/domain/policy";
import { keepAiEpisode } from "./ai/outcomes/keep-ai-episode.ts";
import { queueTurn } from "./ai/turn/queue-turn.ts";
import { audit } from "./audit/audit.ts";
import { queueReply } from "./channels/queue-reply.ts";
import type { Context } from "./context.ts";
import type { EventFacts } from "./events/event.ts";
import { queueEmbedding } from "./knowledge/vectors/queue-embedding.ts";
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

/** How far a message has got, and changes of channels, whose operations write a line with what was changed. */
const WITHOUT_LINE: ReadonlySet<string> = new Set<EventFacts["name"]>([
  ...(["message.delivery-changed", "channel.created", "channel.updated", "channel.deleted"] as const),
]);

/** The audit log has a line for each event of an operation whose row of the policy says `audited`, but for those above. */
const auditLine: Follower = (ctx, { facts, data }) => {
  if (policyOf(ctx.operation).audited && !WITHOUT_LINE.has(facts.name)) audit(ctx, data);
  return undefined;
};

/** All followers of an event, in their order. A new one is a line here and a file of its own. */
const followers: readonly Follower[] = [
  auditLine,
  queueDeliveries,
  queueReply,
  queueTurn,
  keepAiEpisode,
  queueEmbedding,
];

/** Runs every follower of an event; returns the queues to wake after the commit, one promise a follower. */
export function follow(ctx: Context, event: CommittedEvent): Promise<QueueRef[]>[] {
  return followers.flatMap((follower) => follower(ctx, event) ?? []);
}
