import type { SsoSettings } from "@frontdesk/core/contract/session-sso";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { issuerProblem, SSO_SESSION_HOURS, type SsoPreset } from "@frontdesk/core/domain/sso";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { SsoProviderRow } from "../storage/tables.ts";
import { settingsOf } from "./get-sso-settings.ts";
import { requireAnotherProvider } from "./sso-lockout.ts";
import { findProvider, type OidcProvider, openProvider, readProviderKey, sealClientSecret } from "./sso-provider.ts";
import {
  deleteIdentitiesOfProvider,
  deleteLogoutsOfProvider,
  deleteProviderRow,
  deleteSessionsOfProvider,
  deleteStepsOfProvider,
  insertProvider,
  providerById,
  providersOfTeam,
  updateProviderRow,
} from "./sso-store.ts";

const MOST_PROVIDERS = 10;

/** What an owner can change of a provider; what is left out stays. */
export interface ProviderChange {
  name?: string | undefined;
  issuer?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
  is_on?: boolean | undefined;
  trusts_email?: boolean | undefined;
  trusts_factors?: boolean | undefined;
  creates_agents?: boolean | undefined;
  admin_group?: string | null | undefined;
  session_hours?: number | undefined;
}

export interface NewProvider extends ProviderChange {
  /** The key that `getSsoSettings` has proposed. */
  id: string;
  preset: SsoPreset;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
}

/** @throws Refusal `invalid` on `issuer`, and on `id` for one that exists */
export const createSsoProvider: Operation<NewProvider, SsoSettings> = {
  name: "create-sso-provider",
  mode: "write",
  async run(ctx, { id: key, preset, client_secret: secret, ...given }) {
    const of = readProviderKey(key);
    if (of?.team_id !== ctx.teamId) throw invalid({ id: "sso-id-taken" });
    if (await ctx.db.first(providerById, of)) throw invalid({ id: "sso-id-taken" });
    const others = await ctx.db.all(providersOfTeam, { team_id: ctx.teamId });
    if (others.length >= MOST_PROVIDERS) throw invalid({ id: because("sso-too-many", { max: MOST_PROVIDERS }) });
    requireIssuer(preset, given.issuer);
    const row: SsoProviderRow = {
      ...{ ...of, preset, name: given.name.trim(), issuer: given.issuer.trim(), client_id: given.client_id.trim() },
      secret_sealed: sealClientSecret(ctx.vault, of, secret.trim()),
      is_on: given.is_on ? 1 : 0,
      trusts_email: given.trusts_email ? 1 : 0,
      trusts_factors: given.trusts_factors ? 1 : 0,
      creates_agents: given.creates_agents ? 1 : 0,
      admin_group: groupOf(given.admin_group),
      session_hours: given.session_hours ?? SSO_SESSION_HOURS.default,
      created_at: ctx.now,
    };
    ctx.write(insertProvider, row);
    audit(ctx, { provider: auditedProvider(row) });
    return settingsOf(ctx);
  },
};

/**
 * Another issuer or client ID leads to other people: the links are dropped, and the sessions of this provider end, as they do when
 * it is switched off.
 *
 * @throws Refusal `not-found`; `invalid` on `issuer`, and on `is_on` or `issuer` for what would lock the team out
 */
export const updateSsoProvider: Operation<{ id: string; change: ProviderChange }, SsoSettings> = {
  name: "update-sso-provider",
  mode: "write",
  async run(ctx, { id, change }) {
    const before = await findProvider(ctx, id);
    const row = changed(ctx, before, change);
    requireIssuer(row.preset as SsoPreset, row.issuer);
    if (row.is_on !== 1) await requireAnotherProvider(ctx, before, "is_on");
    if (row.is_on !== before.is_on && row.is_on !== 1) endSessions(ctx, row);
    if (leadsElsewhere(before, row)) {
      await requireAnotherProvider(ctx, before, row.issuer === before.issuer ? "client_id" : "issuer");
      dropLinks(ctx, row);
    }
    ctx.write(updateProviderRow, row);
    audit(ctx, { provider: auditedProvider(row), ...(leadsElsewhere(before, row) && { links_dropped: true }) });
    return settingsOf(ctx);
  },
};

/** @throws Refusal `not-found`; `invalid` on `provider` for what would lock the team out */
export const deleteSsoProvider: Operation<{ id: string }, SsoSettings> = {
  name: "delete-sso-provider",
  mode: "write",
  async run(ctx, { id }) {
    const row = await findProvider(ctx, id);
    await requireAnotherProvider(ctx, row, "provider");
    dropLinks(ctx, row);
    ctx.write(deleteLogoutsOfProvider, { team_id: ctx.teamId, provider_id: row.id });
    ctx.write(deleteProviderRow, { team_id: ctx.teamId, id: row.id });
    audit(ctx, { provider: auditedProvider(row) });
    return settingsOf(ctx);
  },
};

/** For a request to a provider before it is saved. */
export const newProviderToLook: Operation<NewProvider, OidcProvider> = {
  name: "look-at-sso-provider",
  mode: "read",
  async run(_ctx, { preset, issuer, client_id: clientId, client_secret: clientSecret }) {
    requireIssuer(preset, issuer);
    return { preset, issuer: issuer.trim(), clientId, clientSecret };
  },
};

/** The same before a change is saved; undefined when the issuer stays. */
export const providerToLook: Operation<{ id: string; change: ProviderChange }, OidcProvider | undefined> = {
  name: "look-at-sso-provider",
  mode: "read",
  async run(ctx, { id, change }) {
    const before = await findProvider(ctx, id);
    const row = changed(ctx, before, change);
    requireIssuer(row.preset as SsoPreset, row.issuer);
    return row.issuer === before.issuer ? undefined : openProvider(ctx.vault, row);
  },
};

/** @throws Refusal `invalid` on `issuer` */
function requireIssuer(preset: SsoPreset, issuer: string): void {
  const problem = issuerProblem(preset, issuer.trim());
  if (problem) throw invalid({ issuer: problem });
}

function changed(ctx: Context, before: SsoProviderRow, change: ProviderChange): SsoProviderRow {
  const flag = (now: boolean | undefined, was: number) => (now === undefined ? was : now ? 1 : 0);
  const { client_secret: secret } = change;
  return {
    ...before,
    name: change.name?.trim() ?? before.name,
    issuer: change.issuer?.trim() ?? before.issuer,
    client_id: change.client_id?.trim() ?? before.client_id,
    secret_sealed: secret === undefined ? before.secret_sealed : sealClientSecret(ctx.vault, before, secret.trim()),
    is_on: flag(change.is_on, before.is_on),
    trusts_email: flag(change.trusts_email, before.trusts_email),
    trusts_factors: flag(change.trusts_factors, before.trusts_factors),
    creates_agents: flag(change.creates_agents, before.creates_agents),
    admin_group: change.admin_group === undefined ? before.admin_group : groupOf(change.admin_group),
    session_hours: change.session_hours ?? before.session_hours,
  };
}

const leadsElsewhere = (before: SsoProviderRow, row: SsoProviderRow): boolean =>
  row.issuer !== before.issuer || row.client_id !== before.client_id;

const groupOf = (group: string | null | undefined): string | null => group?.trim() || null;

function dropLinks(ctx: Context, { id }: Pick<SsoProviderRow, "id">): void {
  ctx.write(deleteIdentitiesOfProvider, { team_id: ctx.teamId, provider_id: id });
  endSessions(ctx, { id });
}

function endSessions(ctx: Context, { id }: Pick<SsoProviderRow, "id">): void {
  ctx.db.announce("access");
  ctx.write(deleteSessionsOfProvider, { team_id: ctx.teamId, provider_id: id });
  ctx.write(deleteStepsOfProvider, { team_id: ctx.teamId, provider_id: id });
}

const auditedProvider = (row: SsoProviderRow): object => ({
  ...{ id: row.id, name: row.name, issuer: row.issuer, client_id: row.client_id },
  ...{
    is_on: row.is_on === 1,
    trusts_email: row.trusts_email === 1,
    trusts_factors: row.trusts_factors === 1,
    creates_agents: row.creates_agents === 1,
  },
});
