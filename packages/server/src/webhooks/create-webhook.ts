import type { EventName } from "@frontdesk/core/contract";
import type { Operation } from "../context.ts";
import type { WebhookRow } from "../storage/tables.ts";
import { readEndpointUrl } from "./endpoint-url.ts";
import { requireEventScopes } from "./require-event-scopes.ts";
import { newSigningSecret } from "./rotate-webhook-secret.ts";
import { secretPlace } from "./signing-secrets.ts";
import { insertWebhook } from "./webhook-store.ts";

export interface NewWebhook {
  endpointUrl: string;
  events: readonly EventName[];
  name: string | undefined;
  isActive: boolean;
}

/**
 * Subscribes an endpoint to events. The signing secret is created here and shown only once (decision 42); a repeat creates
 * another subscription. Specification: POST /webhooks.
 *
 * @throws Refusal `invalid` on `endpoint_url`; `not-allowed` as `requireEventScopes`
 */
export const createWebhook: Operation<NewWebhook, { webhook: WebhookRow; signingSecret: string }> = {
  name: "create-webhook",
  mode: "write",
  async run(ctx, { endpointUrl, events, name, isActive }) {
    requireEventScopes(ctx.actor, events);
    const endpoint = readEndpointUrl(endpointUrl);
    const signingSecret = newSigningSecret(ctx);
    const row = { team_id: ctx.teamId, id: ctx.newId() };
    const webhook: WebhookRow = {
      ...row,
      name: name ?? endpoint.hostname,
      endpoint_url: endpoint.href,
      is_active: isActive ? 1 : 0,
      events: JSON.stringify([...new Set(events)]),
      secret_sealed: ctx.vault.seal(signingSecret, secretPlace(row)),
      created_at: ctx.now,
      updated_at: ctx.now,
      next_secret_sealed: null,
      next_secret_at: null,
    };
    ctx.write(insertWebhook, webhook);
    ctx.count("webhooks", 1);
    ctx.record({ name: "webhook.created", webhook });
    return { webhook, signingSecret };
  },
};
