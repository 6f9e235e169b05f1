import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { SsoProviderRow } from "../storage/tables.ts";
import { findProvider, type OidcProvider, openProvider, providerKey } from "./sso-provider.ts";
import { providersOfTeam } from "./sso-store.ts";

/** A provider with what a request to it needs. */
export interface OpenedProvider {
  key: string;
  name: string;
  isOn: boolean;
  oidc: OidcProvider;
}

type Open = Operation<{ provider: string }, OpenedProvider>;

const open: Open["run"] = async (ctx, { provider }) => openRow(ctx, await findProvider(ctx, provider));

export function openRow({ vault }: Pick<Context, "vault">, row: SsoProviderRow): OpenedProvider {
  return { key: providerKey(row), name: row.name, isOn: row.is_on === 1, oidc: openProvider(vault, row) };
}

/** At the end of a sign-in, and for a logout. */
export const openSsoProvider: Open = { name: "open-sso-provider", mode: "read", run: open };

/** For a test by an owner, also of a provider that is off. */
export const beginSsoTest: Open = { name: "begin-sso-test", mode: "read", run: open };

/** @throws Refusal `not-found` for a provider that is off */
const openThatIsOn: Open["run"] = async (ctx, input) => {
  const opened = await open(ctx, input);
  if (!opened.isOn) throw notFound("sso-provider");
  return opened;
};

export const beginSso: Open = { name: "begin-sso", mode: "read", run: openThatIsOn };
export const beginOwnSso: Open = { name: "begin-own-sso", mode: "read", run: openThatIsOn };

/** The provider of a team's domain: the first that is on. */
export const findSso: Operation<Record<never, never>, SsoProviderRow | undefined> = {
  name: "find-sso",
  mode: "read",
  async run(ctx) {
    const providers = await ctx.db.all(providersOfTeam, { team_id: ctx.teamId });
    return providers.find(({ is_on }) => is_on === 1);
  },
};
