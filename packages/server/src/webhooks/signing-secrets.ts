import type { SealedPlace, Vault } from "../access/vault.ts";
import type { WebhookRow } from "../storage/tables.ts";
import type { SigningSecrets } from "./signed-request.ts";

/**
 * Which secrets sign at a given time (decision 43): the old one alone, both while one replaces the other, then the new one
 * alone. No process has to run at the change-over.
 */
export function signingSecrets(
  webhook: Pick<WebhookRow, "team_id" | "id" | "secret_sealed" | "next_secret_sealed" | "next_secret_at">,
  vault: Vault,
  now: number,
): SigningSecrets {
  const { secret_sealed, next_secret_sealed } = webhook;
  const first = () => vault.open(secret_sealed, secretPlace(webhook));
  if (next_secret_sealed === null) return { current: first(), next: undefined };
  const next = vault.open(next_secret_sealed, nextSecretPlace(webhook));
  return hasTakenOver(webhook, now) ? { current: next, next: undefined } : { current: first(), next };
}

type WebhookName = Pick<WebhookRow, "team_id" | "id">;

/** What the secret that signs is sealed for. */
export const secretPlace = ({ team_id, id }: WebhookName): SealedPlace => ({
  column: "webhooks.secret_sealed",
  teamId: team_id,
  id,
});

/** What the next secret is sealed for. */
export const nextSecretPlace = ({ team_id, id }: WebhookName): SealedPlace => ({
  column: "webhooks.next_secret_sealed",
  teamId: team_id,
  id,
});

/** Whether the new secret signs alone by now. */
export function hasTakenOver({ next_secret_at }: Pick<WebhookRow, "next_secret_at">, now: number): boolean {
  return next_secret_at !== null && next_secret_at <= now;
}
