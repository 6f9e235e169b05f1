import type { SsoSettings } from "@frontdesk/core/contract/session-sso";
import type { SsoPreset } from "@frontdesk/core/domain/sso";
import type { Context, Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { SsoDomainRow, SsoProviderRow } from "../storage/tables.ts";
import { logoutUri, providerKey, redirectUri } from "./sso-provider.ts";
import { domainsOfTeam, identitiesOfAgent, ownersWithPasswords, providersOfTeam } from "./sso-store.ts";

/** Everything of single sign-on that an owner sets up. */
export const getSsoSettings: Operation<Record<never, never>, SsoSettings> = {
  name: "get-sso-settings",
  mode: "read",
  run: (ctx) => settingsOf(ctx),
};

/** Every change answers with the settings after it. */
export async function settingsOf(ctx: Context): Promise<SsoSettings> {
  const { agentId } = signedInAgent(ctx);
  const of = { team_id: ctx.teamId };
  const providers = await ctx.db.all(providersOfTeam, of);
  const linked = await ctx.db.all(identitiesOfAgent, { ...of, agent_id: agentId });
  const next = providerKey({ ...of, id: ctx.newId() });
  return {
    providers: providers.map((row) => presentProvider(row, ctx.publicUrl)),
    next: { id: next, ...addressesOf(ctx.publicUrl, next) },
    domains: (await ctx.db.all(domainsOfTeam, of)).map(presentDomain),
    owners: (await ctx.db.all(ownersWithPasswords, of)).map(({ id, name, email, password_hash, keeper }) => ({
      ...{ id, name: name ?? email },
      has_password: password_hash !== null,
      keeps_password: keeper !== null,
    })),
    is_linked: providers.some(({ id, is_on }) => is_on === 1 && linked.some(({ provider_id }) => provider_id === id)),
  };
}

function presentProvider(row: SsoProviderRow, publicUrl: string): SsoSettings["providers"][number] {
  const key = providerKey(row);
  return {
    id: key,
    name: row.name,
    preset: row.preset as SsoPreset,
    issuer: row.issuer,
    client_id: row.client_id,
    is_on: row.is_on === 1,
    trusts_email: row.trusts_email === 1,
    trusts_factors: row.trusts_factors === 1,
    creates_agents: row.creates_agents === 1,
    admin_group: row.admin_group,
    session_hours: row.session_hours,
    ...addressesOf(publicUrl, key),
  };
}

const addressesOf = (publicUrl: string, key: string) => ({
  redirect_uri: redirectUri(publicUrl, key),
  logout_uri: logoutUri(publicUrl, key),
});

const presentDomain = (row: SsoDomainRow): SsoSettings["domains"][number] => ({
  domain: row.domain,
  record_name: recordName(row.domain),
  record_value: recordValue(row.token),
  is_proven: row.proven_at !== null,
  is_required: row.required_at !== null,
});

/** The TXT record that proves a domain. */
export const recordName = (domain: string): string => `_frontdesk.${domain}`;
export const recordValue = (token: string): string => `frontdesk-domain=${token}`;
