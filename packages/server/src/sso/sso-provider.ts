import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { SsoPreset } from "@frontdesk/core/domain/sso";
import type { SealedPlace, Vault } from "../access/vault.ts";
import type { Context } from "../context.ts";
import type { SsoProviderRow } from "../storage/tables.ts";
import { providerById } from "./sso-store.ts";

/** A provider as requests to it need it. */
export interface OidcProvider {
  preset: SsoPreset;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export type OfProvider = Pick<SsoProviderRow, "team_id" | "id">;

/** Names a provider in addresses, where nothing else says whose it is. */
export const providerKey = ({ team_id, id }: OfProvider): string => `${team_id}.${id}`;

/** Undefined for what is no such name. */
export function readProviderKey(key: string): OfProvider | undefined {
  const [team, provider, ...rest] = key.split(".");
  const [team_id, id] = [canonicalId(team ?? ""), canonicalId(provider ?? "")];
  return team_id && id && rest.length === 0 ? { team_id, id } : undefined;
}

/** @throws Refusal `not-found` */
export function requireProviderKey(key: string): OfProvider {
  const of = readProviderKey(key);
  if (!of) throw notFound("sso-provider");
  return of;
}

/** The page of the dashboard that the provider sends browsers back to. */
export const redirectUri = (publicUrl: string, key: string): string => `${publicUrl}/app/sso/${key}`;
/** Where the provider says that a session is over. */
export const logoutUri = (publicUrl: string, key: string): string => `${publicUrl}/sso/${key}/logout`;

/**
 * A provider of the team, by its key or its id.
 *
 * @throws Refusal `not-found`
 */
export async function findProvider(ctx: Context, key: string): Promise<SsoProviderRow> {
  const id = canonicalId(key);
  const of = id ? { team_id: ctx.teamId, id } : readProviderKey(key);
  const row = of?.team_id === ctx.teamId ? await ctx.db.first(providerById, of) : undefined;
  if (!row) throw notFound("sso-provider");
  return row;
}

const placeOf = ({ team_id, id }: OfProvider): SealedPlace => ({
  column: "sso_providers.secret_sealed",
  teamId: team_id,
  id,
});

export const sealClientSecret = (vault: Vault, of: OfProvider, secret: string): string =>
  vault.seal(secret, placeOf(of));

/** @throws when the secret was sealed with a key that is lost */
export function openProvider(vault: Vault, row: SsoProviderRow): OidcProvider {
  return {
    preset: row.preset as SsoPreset,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: vault.open(row.secret_sealed, placeOf(row)),
  };
}
