import type { Operation } from "../context.ts";
import { removeQueue } from "../outbox/outbox-log-store.ts";
import { findWebhook } from "./get-webhook.ts";
import { webhookQueue } from "./queue-deliveries.ts";
import { deleteWebhookRow } from "./webhook-store.ts";

/**
 * Removes a subscription; a repeat finds none. What was queued for it is not sent, and what is under way is aborted before the
 * answer; the rows are deleted later (`jobs/clean-up.ts`). Specification: DELETE /webhooks/{webhook}.
 */
export const deleteWebhook: Operation<{ webhookId: string }, void> = {
  name: "delete-webhook",
  mode: "write",
  async run(ctx, { webhookId }) {
    const webhook = await findWebhook(ctx, webhookId);
    ctx.write(deleteWebhookRow, { team_id: ctx.teamId, id: webhook.id });
    ctx.count("webhooks", -1);
    ctx.write(removeQueue, { team_id: ctx.teamId, queue_id: webhook.id, removed_at: ctx.now });
    ctx.haltQueue(webhookQueue(webhook.id));
    ctx.record({ name: "webhook.deleted", webhook });
  },
};
