import type { SsoSettings } from "@frontdesk/core/contract/session-sso";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import { domainOfEmail, readDomain } from "@frontdesk/core/domain/sso";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { DomainRecords } from "../outbound/domain-records.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { SsoDomainRow } from "../storage/tables.ts";
import { recordName, recordValue, settingsOf } from "./get-sso-settings.ts";
import { getsInAlways } from "./sso-lockout.ts";
import {
  agentsWithOtherSessions,
  breakGlassOwner,
  deleteDomain,
  deleteDomainFromDirectory,
  deleteOtherSessionsOf,
  domainOfTeam,
  domainsOfTeam,
  identitiesOfAgent,
  insertDomain,
  insertDomainIntoDirectory,
  ownersWithPasswords,
  providersOfTeam,
  setDomainState,
} from "./sso-store.ts";

const MOST_DOMAINS = 50;
const TOKEN_BYTES = 16;

/** A domain that the team wants to prove; a repeat changes nothing. */
export const addSsoDomain: Operation<{ domain: string }, SsoSettings> = {
  name: "add-sso-domain",
  mode: "write",
  async run(ctx, { domain: given }) {
    await ownDomain(ctx, given);
    return settingsOf(ctx);
  },
};

/** What the DNS is asked for to prove a domain. */
export const domainToProve: Operation<{ domain: string }, SsoDomainRow> = {
  name: "get-sso-domain",
  mode: "read",
  run: (ctx, { domain }) => findDomain(ctx, domain),
};

/** Outside of any transaction: whether the domain has the record. */
export async function hasRecord(
  { txt }: Pick<DomainRecords, "txt">,
  { domain, token }: SsoDomainRow,
): Promise<boolean> {
  const records = await txt(recordName(domain));
  return Array.isArray(records) && records.some((record) => record.trim() === recordValue(token));
}

type Prove = Operation<{ domain: string }, SsoDomainRow>;

/**
 * The domain is the team's from now on, because its record was found.
 *
 * @throws Refusal `not-found`; `invalid` on `domain` for another team's
 */
export const proveSsoDomain: Prove = {
  name: "prove-sso-domain",
  mode: "write",
  run: async (ctx, { domain }) => prove(ctx, await findDomain(ctx, domain)),
};

/**
 * The same because the operator says so; it need not be added before.
 *
 * @throws Refusal `invalid` on `domain`
 */
export const giveSsoDomain: Prove = {
  name: "give-sso-domain",
  mode: "write",
  run: async (ctx, { domain }) => prove(ctx, await ownDomain(ctx, domain)),
};

async function prove(ctx: Context, row: SsoDomainRow): Promise<SsoDomainRow> {
  if (row.proven_at !== null) return row;
  const of = { team_id: ctx.teamId, domain: row.domain };
  if ((await ctx.db.run(insertDomainIntoDirectory, of)) === 0) throw invalid({ domain: "sso-domain-taken" });
  const proven = { ...row, proven_at: ctx.now };
  ctx.write(setDomainState, proven);
  audit(ctx, { domain: { name: row.domain } });
  return proven;
}

/** @throws Refusal `not-found` */
export const removeSsoDomain: Operation<{ domain: string }, SsoSettings> = {
  name: "remove-sso-domain",
  mode: "write",
  async run(ctx, { domain: given }) {
    const { domain } = await findDomain(ctx, given);
    const of = { team_id: ctx.teamId, domain };
    ctx.write(deleteDomain, of);
    ctx.write(deleteDomainFromDirectory, of);
    audit(ctx, { domain: { name: domain } });
    return settingsOf(ctx);
  },
};

/**
 * The people of a domain sign in by SSO alone, from now on or no longer. Their sessions of other ways end; the owner who asks is
 * one who has signed in by it, and at least one owner keeps their password.
 *
 * @throws Refusal `not-found`; `invalid` on `on` for what would lock the team out
 */
export const requireSso: Operation<{ domain: string; on: boolean }, SsoSettings> = {
  name: "require-sso",
  mode: "write",
  async run(ctx, { domain: given, on }) {
    const row = await findDomain(ctx, given);
    if ((row.required_at !== null) === on) return settingsOf(ctx);
    if (on) await requireWayIn(ctx, row);
    ctx.write(setDomainState, { ...row, required_at: on ? ctx.now : null });
    if (on) await endOtherSessions(ctx, row.domain);
    audit(ctx, { domain: { name: row.domain }, on });
    return settingsOf(ctx);
  },
};

/** The operator's way out: no one has to sign in by SSO any more. Returns the domains; a repeat changes nothing. */
export const turnOffSso: Operation<Record<never, never>, string[]> = {
  name: "turn-off-sso",
  mode: "write",
  async run(ctx) {
    const domains = await ctx.db.all(domainsOfTeam, { team_id: ctx.teamId });
    const required = domains.filter(({ required_at }) => required_at !== null);
    for (const row of required) {
      ctx.write(setDomainState, { ...row, required_at: null });
      audit(ctx, { domain: { name: row.domain } });
    }
    return required.map(({ domain }) => domain);
  },
};

async function requireWayIn(ctx: Context, { proven_at }: SsoDomainRow): Promise<void> {
  if (proven_at === null) throw invalid({ on: "sso-not-proven" });
  const of = { team_id: ctx.teamId };
  const { agentId } = signedInAgent(ctx);
  const on = (await ctx.db.all(providersOfTeam, of)).filter(({ is_on }) => is_on === 1);
  const linked = await ctx.db.all(identitiesOfAgent, { ...of, agent_id: agentId });
  if (!linked.some(({ provider_id }) => on.some(({ id }) => id === provider_id)))
    throw invalid({ on: "sso-sign-in-first" });
  if (!(await ctx.db.all(ownersWithPasswords, of)).some(getsInAlways)) throw invalid({ on: "sso-no-break-glass" });
}

async function endOtherSessions(ctx: Context, domain: string): Promise<void> {
  ctx.db.announce("access");
  for (const { id, email } of await ctx.db.all(agentsWithOtherSessions, { team_id: ctx.teamId })) {
    const of = { team_id: ctx.teamId, agent_id: id };
    if (domainOfEmail(email) !== domain || (await ctx.db.first(breakGlassOwner, of))) continue;
    ctx.write(deleteOtherSessionsOf, of);
  }
}

/** @throws Refusal `invalid` on `domain` */
async function ownDomain(ctx: Context, given: string): Promise<SsoDomainRow> {
  const domain = readDomain(given);
  if (domain === undefined) throw invalid({ domain: "sso-domain" });
  const of = { team_id: ctx.teamId, domain };
  const known = await ctx.db.first(domainOfTeam, of);
  if (known) return known;
  const others = await ctx.db.all(domainsOfTeam, { team_id: ctx.teamId });
  if (others.length >= MOST_DOMAINS) throw invalid({ domain: because("sso-too-many", { max: MOST_DOMAINS }) });
  const token = ctx.random(TOKEN_BYTES).toString("hex");
  const row: SsoDomainRow = { ...of, token, proven_at: null, required_at: null, created_at: ctx.now };
  ctx.write(insertDomain, row);
  return row;
}

async function findDomain(ctx: Context, given: string): Promise<SsoDomainRow> {
  const domain = readDomain(given);
  const row = domain && (await ctx.db.first(domainOfTeam, { team_id: ctx.teamId, domain }));
  if (!row) throw notFound("sso-domain");
  return row;
}
