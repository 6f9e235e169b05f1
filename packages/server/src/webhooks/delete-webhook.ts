import type { Operation } from "../context.ts";
import { findWebhook } from "./get-webhook.ts";
import { deleteWebhookRow } from "./webhook-store.ts";

/**
 * Removes a subscription; a repeat finds none. What was queued for it goes unsent, and what is under way is broken off
 * before the answer; the rows are cleared away later (`deliveries/clean-up-deliveries.ts`). Specification: DELETE /webhooks/{webhook}.
 */
export const deleteWebhook: Operation<{ webhookId: string }, void> = {
  name: "delete-webhook",
  mode: "write",
  async run(ctx, { webhookId }) {
    const webhook = await findWebhook(ctx, webhookId);
    ctx.write(deleteWebhookRow, { team_id: ctx.teamId, id: webhook.id });
    ctx.count("webhooks", -1);
    ctx.halt(webhook.id);
    ctx.record({ name: "webhook.deleted", webhook });
  },
};
