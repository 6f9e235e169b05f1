import type { AgentRole, AgentStatus } from "@frontdesk/core/domain/agent";
import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { AgentRow, SsoDomainRow, SsoIdentityRow, SsoProviderRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
type ById = Pick<SsoProviderRow, "team_id" | "id">;
type OfProvider = Pick<SsoIdentityRow, "team_id" | "provider_id">;
type OfAgent = Pick<SsoIdentityRow, "team_id" | "agent_id">;
type OfDomain = Pick<SsoDomainRow, "team_id" | "domain">;

export const insertProvider = statement<SsoProviderRow>((db, param) =>
  db.insertInto("sso_providers").values(wholeRow(param, "sso_providers")),
);

const CHANGED = [
  "name",
  "issuer",
  "client_id",
  "secret_sealed",
  "is_on",
  "trusts_email",
  "trusts_factors",
  "creates_agents",
  "admin_group",
  "session_hours",
] as const satisfies (keyof SsoProviderRow)[];

export const updateProviderRow = statement<ById & Pick<SsoProviderRow, (typeof CHANGED)[number]>>((db, param) =>
  db
    .updateTable("sso_providers")
    .set(every(param, CHANGED))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const providerById = statement<ById, SsoProviderRow>((db, param) =>
  db.selectFrom("sso_providers").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Oldest first. */
export const providersOfTeam = statement<OfTeam, SsoProviderRow>((db, param) =>
  db
    .selectFrom("sso_providers")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .orderBy("created_at")
    .orderBy("id"),
);

export const deleteProviderRow = statement<ById>((db, param) =>
  db.deleteFrom("sso_providers").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The providers that are on, of two teams at most: the sign-in page shows them only if they are of one. */
export const providersToShow = statement<{ limit: number }, Pick<SsoProviderRow, "team_id" | "id" | "name" | "preset">>(
  (db, param) =>
    db
      .selectFrom("sso_providers")
      .select(["team_id", "id", "name", "preset"])
      .where("is_on", "=", sql.lit(1))
      .orderBy("team_id")
      .orderBy("created_at")
      .limit(param("limit")),
);

export const insertIdentity = statement<SsoIdentityRow>((db, param) =>
  db.insertInto("sso_identities").values(wholeRow(param, "sso_identities")),
);

export const identityBySubject = statement<OfProvider & { subject: string }, SsoIdentityRow>((db, param) =>
  db
    .selectFrom("sso_identities")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("provider_id", "=", param("provider_id"))
    .where("subject", "=", param("subject")),
);

export const identitiesOfAgent = statement<OfAgent, SsoIdentityRow>((db, param) =>
  db
    .selectFrom("sso_identities")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

export const deleteIdentity = statement<OfProvider & OfAgent>((db, param) =>
  db
    .deleteFrom("sso_identities")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("provider_id", "=", param("provider_id")),
);

export const deleteIdentitiesOfProvider = statement<OfProvider>((db, param) =>
  db
    .deleteFrom("sso_identities")
    .where("team_id", "=", param("team_id"))
    .where("provider_id", "=", param("provider_id")),
);

export const deleteLogoutsOfProvider = statement<OfProvider>((db, param) =>
  db.deleteFrom("sso_logouts").where("team_id", "=", param("team_id")).where("provider_id", "=", param("provider_id")),
);

export const deleteSessionsOfProvider = statement<OfProvider>((db, param) =>
  db.deleteFrom("sessions").where("team_id", "=", param("team_id")).where("sso_provider_id", "=", param("provider_id")),
);

/** The sessions of an agent by this provider. */
export const deleteSessionsOfSubject = statement<OfProvider & OfAgent>((db, param) =>
  db
    .deleteFrom("sessions")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("sso_provider_id", "=", param("provider_id")),
);

/** Those of one session at the provider. */
export const deleteSessionsOfSid = statement<OfProvider & { sso_sid: string }>((db, param) =>
  db
    .deleteFrom("sessions")
    .where("team_id", "=", param("team_id"))
    .where("sso_provider_id", "=", param("provider_id"))
    .where("sso_sid", "=", param("sso_sid")),
);

/** Sign-ins by this provider that wait for their second step. */
export const deleteStepsOfProvider = statement<OfProvider>((db, param) =>
  db
    .deleteFrom("second_steps")
    .where("team_id", "=", param("team_id"))
    .where("sso_provider_id", "=", param("provider_id")),
);

export const deleteStepsOfSubject = statement<OfProvider & OfAgent>((db, param) =>
  db
    .deleteFrom("second_steps")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("sso_provider_id", "=", param("provider_id")),
);

export const deleteStepsOfSid = statement<OfProvider & { sso_sid: string }>((db, param) =>
  db
    .deleteFrom("second_steps")
    .where("team_id", "=", param("team_id"))
    .where("sso_provider_id", "=", param("provider_id"))
    .where("sso_sid", "=", param("sso_sid")),
);

/** Takes a token of a logout; changes nothing when it was taken before. */
export const takeLogoutToken = statement<OfProvider & { token_id: string; expires_at: number }>((db, param) =>
  db
    .insertInto("sso_logouts")
    .values(wholeRow(param, "sso_logouts"))
    .onConflict((conflict) => conflict.columns(["team_id", "provider_id", "token_id"]).doNothing()),
);

export const deleteOldLogouts = statement<OfTeam & { before: number }>((db, param) =>
  db.deleteFrom("sso_logouts").where("team_id", "=", param("team_id")).where("expires_at", "<", param("before")),
);

export const insertDomain = statement<SsoDomainRow>((db, param) =>
  db.insertInto("sso_domains").values(wholeRow(param, "sso_domains")),
);

export const domainOfTeam = statement<OfDomain, SsoDomainRow>((db, param) =>
  db
    .selectFrom("sso_domains")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("domain", "=", param("domain")),
);

export const domainsOfTeam = statement<OfTeam, SsoDomainRow>((db, param) =>
  db.selectFrom("sso_domains").selectAll().where("team_id", "=", param("team_id")).orderBy("domain"),
);

export const setDomainState = statement<OfDomain & Pick<SsoDomainRow, "proven_at" | "required_at">>((db, param) =>
  db
    .updateTable("sso_domains")
    .set(every(param, ["proven_at", "required_at"]))
    .where("team_id", "=", param("team_id"))
    .where("domain", "=", param("domain")),
);

export const deleteDomain = statement<OfDomain>((db, param) =>
  db.deleteFrom("sso_domains").where("team_id", "=", param("team_id")).where("domain", "=", param("domain")),
);

/** Registers a proven domain for this team; changes nothing when it is registered already, by this team or another. */
export const insertDomainIntoDirectory = statement<OfDomain>((db, param) =>
  db
    .insertInto("sso_domain_directory")
    .values(wholeRow(param, "sso_domain_directory"))
    .onConflict((conflict) => conflict.doNothing()),
);

export const teamOfDomain = statement<{ domain: string }, OfTeam>((db, param) =>
  db.selectFrom("sso_domain_directory").select("team_id").where("domain", "=", param("domain")),
);

export const deleteDomainFromDirectory = statement<OfDomain>((db, param) =>
  db.deleteFrom("sso_domain_directory").where("domain", "=", param("domain")).where("team_id", "=", param("team_id")),
);

/** The active owners; `keeps_password`: they were named as those who keep theirs. */
export const ownersWithPasswords = statement<
  OfTeam,
  Pick<AgentRow, "id" | "name" | "email" | "password_hash"> & { keeper: string | null }
>((db, param) =>
  db
    .selectFrom("agents")
    .leftJoin("break_glass_owners", (join) =>
      join
        .onRef("break_glass_owners.team_id", "=", "agents.team_id")
        .onRef("break_glass_owners.agent_id", "=", "agents.id"),
    )
    .select(["agents.id", "agents.name", "agents.email", "agents.password_hash"])
    .select("break_glass_owners.agent_id as keeper")
    .where("agents.team_id", "=", param("team_id"))
    .where("agents.role", "=", sql.lit("CHAT_AGENT_OWNER" satisfies AgentRole))
    .where("agents.status", "=", sql.lit("active" satisfies AgentStatus))
    .orderBy("agents.created_at")
    .orderBy("agents.id"),
);

export const nameBreakGlass = statement<OfAgent>((db, param) =>
  db
    .insertInto("break_glass_owners")
    .values(wholeRow(param, "break_glass_owners"))
    .onConflict((conflict) => conflict.columns(["team_id", "agent_id"]).doNothing()),
);

export const unnameBreakGlass = statement<OfAgent>((db, param) =>
  db.deleteFrom("break_glass_owners").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);

export const breakGlassOwner = statement<OfAgent, OfAgent>((db, param) =>
  db
    .selectFrom("break_glass_owners")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

/** Those with sessions that were not begun by SSO, with their e-mails. */
export const agentsWithOtherSessions = statement<OfTeam, Pick<AgentRow, "id" | "email">>((db, param) =>
  db
    .selectFrom("agents")
    .select(["agents.id", "agents.email"])
    .where("agents.team_id", "=", param("team_id"))
    .where("agents.id", "in", ({ selectFrom }) =>
      selectFrom("sessions")
        .select("sessions.agent_id")
        .where("sessions.team_id", "=", param("team_id"))
        .where("sessions.sso_provider_id", "is", null),
    ),
);

export const deleteOtherSessionsOf = statement<OfAgent>((db, param) =>
  db
    .deleteFrom("sessions")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("sso_provider_id", "is", null),
);
