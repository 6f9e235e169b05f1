import { invalid } from "@frontdesk/core/domain/refusal";
import { domainOfEmail } from "@frontdesk/core/domain/sso";
import type { Context } from "../context.ts";
import type { AgentRow, SsoProviderRow } from "../storage/tables.ts";
import { breakGlassOwner, domainOfTeam, domainsOfTeam, ownersWithPasswords, providersOfTeam } from "./sso-store.ts";

/**
 * Whether an agent signs in by SSO alone: it is required for the domain of their e-mail, and they are no owner who keeps their
 * password. Every other way in asks this.
 */
export async function signsInBySsoAlone(
  ctx: Context,
  { id, email }: Pick<AgentRow, "id" | "email">,
  { keepsPassword }: { keepsPassword?: boolean } = {},
): Promise<boolean> {
  const domain = domainOfEmail(email);
  const row = domain && (await ctx.db.first(domainOfTeam, { team_id: ctx.teamId, domain }));
  if (!row || row.required_at === null) return false;
  const isKeeper = keepsPassword ?? (await ctx.db.first(breakGlassOwner, { team_id: ctx.teamId, agent_id: id }));
  return !isKeeper;
}

/** Whether people of a domain of the team sign in by SSO alone. */
export async function isSsoRequired(ctx: Context): Promise<boolean> {
  const domains = await ctx.db.all(domainsOfTeam, { team_id: ctx.teamId });
  return domains.some(({ required_at }) => required_at !== null);
}

/**
 * While SSO is required there is an active owner who gets in without it, also when this one does not any more.
 *
 * @throws Refusal `invalid` on `field`
 */
export async function requireAnotherBreakGlass(
  ctx: Context,
  leaving: Pick<AgentRow, "id">,
  field: string,
): Promise<void> {
  const owners = await ctx.db.all(ownersWithPasswords, { team_id: ctx.teamId });
  const isKeeper = owners.some(({ id, keeper }) => id === leaving.id && keeper !== null);
  if (!isKeeper || !(await isSsoRequired(ctx))) return;
  if (!owners.some((owner) => owner.id !== leaving.id && getsInAlways(owner)))
    throw invalid({ [field]: "sso-required" });
}

/** An owner who has no password could not use it. */
export const getsInAlways = (owner: { keeper: string | null; password_hash: string | null }): boolean =>
  owner.keeper !== null && owner.password_hash !== null;

/**
 * While SSO is required there is a provider that is on, also without this one.
 *
 * @throws Refusal `invalid` on `field`
 */
export async function requireAnotherProvider(ctx: Context, leaving: SsoProviderRow, field: string): Promise<void> {
  if (leaving.is_on !== 1 || !(await isSsoRequired(ctx))) return;
  const providers = await ctx.db.all(providersOfTeam, { team_id: ctx.teamId });
  if (!providers.some(({ id, is_on }) => id !== leaving.id && is_on === 1)) throw invalid({ [field]: "sso-required" });
}
