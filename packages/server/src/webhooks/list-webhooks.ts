import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { WebhookRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { webhookPage } from "./webhook-store.ts";

/** The team's subscriptions, oldest first. Decision 16: GET /webhooks. */
export const listWebhooks: Operation<PageRequest, Listed<WebhookRow>> = {
  name: "list-webhooks",
  mode: "read",
  async run(ctx, page) {
    const [counters, rows] = await Promise.all([
      countersOf(ctx),
      ctx.db.all(webhookPage, { team_id: ctx.teamId, ...pageWindow(page) }),
    ]);
    return { rows, total: counters.webhooks };
  },
};
