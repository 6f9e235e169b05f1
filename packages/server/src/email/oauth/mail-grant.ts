import type { SealedPlace, Vault } from "../../access/vault.ts";
import type { OfGrant } from "./grant-store.ts";

/** What a provider has granted for a mailbox. */
export interface MailTokens {
  /** The app that they were given to (`appKey`). */
  app: string;
  access: string;
  /** Until when `access` is good, ms since 1970. */
  goodUntil: number;
  /** Null: the provider gives none, and an admin has to sign in again when `access` is over. */
  refresh: string | null;
}

/** A sign-in that an admin has begun. */
export interface AskedGrant {
  state: string;
  verifier: string;
  /** Who has begun it, and alone may end it. */
  agentId: string;
  until: number;
}

const placeOf = (column: "tokens_sealed" | "asked_sealed", { team_id, id }: OfGrant): SealedPlace => ({
  column: `mail_grants.${column}`,
  teamId: team_id,
  id,
});

export const sealTokens = (vault: Vault, of: OfGrant, tokens: MailTokens): string =>
  vault.seal(JSON.stringify(tokens), placeOf("tokens_sealed", of));

/** @throws when they were sealed with a key that is lost */
export const openTokens = (vault: Vault, of: OfGrant, sealed: string): MailTokens =>
  JSON.parse(vault.open(sealed, placeOf("tokens_sealed", of))) as MailTokens;

export const sealAsked = (vault: Vault, of: OfGrant, asked: AskedGrant): string =>
  vault.seal(JSON.stringify(asked), placeOf("asked_sealed", of));

/** @throws when it was sealed with a key that is lost */
export const openAsked = (vault: Vault, of: OfGrant, sealed: string): AskedGrant =>
  JSON.parse(vault.open(sealed, placeOf("asked_sealed", of))) as AskedGrant;
