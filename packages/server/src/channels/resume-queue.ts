import type { Context } from "../context.ts";
import { REPLAY_RUN_AT } from "../outbox/outbox-item.ts";
import { makeRetriesDue, markQueueDue } from "../outbox/outbox-store.ts";
import { accountQueue } from "./queue-reply.ts";

/** An account sends again: what has waited for it, also for a later attempt, is due. */
export function resumeQueue(ctx: Context, accountId: string): void {
  const queue = accountQueue(accountId);
  const name = { team_id: ctx.teamId, queue_id: queue.queueId };
  ctx.write(makeRetriesDue, { ...name, run_at: REPLAY_RUN_AT });
  ctx.write(markQueueDue, { ...name, due_at: 0 });
  ctx.wakeQueue(queue);
}
