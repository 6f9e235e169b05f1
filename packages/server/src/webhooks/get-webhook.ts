import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { WebhookRow } from "../storage/tables.ts";
import { webhookById } from "./webhook-store.ts";

/** One subscription, without its secret. Specification: GET /webhooks/{webhook}. */
export const getWebhook: Operation<{ webhookId: string }, WebhookRow> = {
  name: "get-webhook",
  mode: "read",
  run: (ctx, { webhookId }) => findWebhook(ctx, webhookId),
};

/** @throws Refusal `not-found`, the same for a missing one, another team's, and a text that is not an id */
export async function findWebhook(ctx: Context, webhookId: string): Promise<WebhookRow> {
  const id = canonicalId(webhookId);
  const webhook = id && (await ctx.db.first(webhookById, { team_id: ctx.teamId, id }));
  if (!webhook) throw notFound("webhook");
  return webhook;
}
