import type { Vault } from "../access/vault.ts";
import type { WebhookRow } from "../storage/tables.ts";
import type { SigningSecrets } from "./signed-request.ts";

/**
 * Which secrets sign at a moment (decision 43): the old one alone, both while one replaces the other, then the new one
 * alone. Nobody has to be awake for the change-over.
 */
export function signingSecrets(
  webhook: Pick<WebhookRow, "secret_sealed" | "next_secret_sealed" | "next_secret_at">,
  vault: Vault,
  now: number,
): SigningSecrets {
  const { secret_sealed, next_secret_sealed } = webhook;
  if (next_secret_sealed === null) return { current: vault.open(secret_sealed), next: undefined };
  if (hasTakenOver(webhook, now)) return { current: vault.open(next_secret_sealed), next: undefined };
  return { current: vault.open(secret_sealed), next: vault.open(next_secret_sealed) };
}

/** Whether the new secret signs alone by now. */
export function hasTakenOver({ next_secret_at }: Pick<WebhookRow, "next_secret_at">, now: number): boolean {
  return next_secret_at !== null && next_secret_at <= now;
}
