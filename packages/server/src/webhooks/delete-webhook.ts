import type { Operation } from "../context.ts";
import { findWebhook } from "./get-webhook.ts";
import { deleteWebhookRow } from "./webhook-store.ts";

/** Removes a subscription; a repeat finds none. Specification: DELETE /webhooks/{webhook}. */
export const deleteWebhook: Operation<{ webhookId: string }, void> = {
  name: "delete-webhook",
  mode: "write",
  async run(ctx, { webhookId }) {
    const webhook = await findWebhook(ctx, webhookId);
    ctx.write(deleteWebhookRow, { team_id: ctx.teamId, id: webhook.id });
    ctx.count("webhooks", -1);
    ctx.record({ name: "webhook.deleted", webhook });
  },
};
