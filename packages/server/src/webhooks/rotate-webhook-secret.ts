import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { WebhookRow } from "../storage/tables.ts";
import { findWebhook } from "./get-webhook.ts";
import { eventsOf, requireEventScopes } from "./require-event-scopes.ts";
import { hasTakenOver, nextSecretPlace, secretPlace } from "./signing-secrets.ts";
import { updateWebhookSecrets } from "./webhook-store.ts";

/** How long the old and the new secret both sign (decision 43). */
const OVERLAP_MS = 24 * 60 * 60_000;
/** 256 random bits (decision 42). */
const SECRET_BYTES = 32;

/** A new signing secret, as it is shown (decision 42). */
export const newSigningSecret = (ctx: Context): string => `whsec_${ctx.random(SECRET_BYTES).toString("base64")}`;

/**
 * Creates a new secret that becomes valid alone in 24 hours; until then both sign. A repeat replaces it by another one, and the
 * old one continues to sign. Decision 43: POST /webhooks/{id}/rotate.
 *
 * @throws Refusal `not-found`; `not-allowed` as `requireEventScopes`: a holder of the secret can forge events of these names
 */
export const rotateWebhookSecret: Operation<
  { webhookId: string },
  { webhook: WebhookRow; signingSecret: string; takesOverAt: number }
> = {
  name: "rotate-webhook-secret",
  mode: "write",
  async run(ctx, { webhookId }) {
    const before = await findWebhook(ctx, webhookId);
    requireEventScopes(ctx.actor, eventsOf(before));
    const signingSecret = newSigningSecret(ctx);
    const takesOverAt = ctx.now + OVERLAP_MS;
    const webhook: WebhookRow = {
      ...before,
      secret_sealed: signingAlone(ctx, before),
      next_secret_sealed: ctx.vault.seal(signingSecret, nextSecretPlace(before)),
      next_secret_at: takesOverAt,
      updated_at: ctx.now,
    };
    ctx.write(updateWebhookSecrets, webhook);
    ctx.record({ name: "webhook.updated", webhook });
    return { webhook, signingSecret, takesOverAt };
  },
};

/** Ends the overlap at once: "activate now" of decision 43. Refused when no secret waits. */
export const activateWebhookSecret: Operation<{ webhookId: string }, WebhookRow> = {
  name: "activate-webhook-secret",
  mode: "write",
  async run(ctx, { webhookId }) {
    const before = await findWebhook(ctx, webhookId);
    if (before.next_secret_sealed === null || hasTakenOver(before, ctx.now)) {
      throw invalid({ webhook: "no-waiting-secret" });
    }
    const webhook: WebhookRow = {
      ...before,
      secret_sealed: movedUp(ctx, before, before.next_secret_sealed),
      next_secret_sealed: null,
      next_secret_at: null,
      updated_at: ctx.now,
    };
    ctx.write(updateWebhookSecrets, webhook);
    ctx.record({ name: "webhook.updated", webhook });
    return webhook;
  },
};

/** The sealed secret that signs when there is no other. */
function signingAlone(ctx: Context, webhook: WebhookRow): string {
  return webhook.next_secret_sealed !== null && hasTakenOver(webhook, ctx.now)
    ? movedUp(ctx, webhook, webhook.next_secret_sealed)
    : webhook.secret_sealed;
}

/** The secret that waited, sealed as the one that signs. */
function movedUp({ vault }: Context, webhook: WebhookRow, nextSealed: string): string {
  return vault.seal(vault.open(nextSealed, nextSecretPlace(webhook)), secretPlace(webhook));
}
