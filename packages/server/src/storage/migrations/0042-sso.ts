import type { ColumnTypes, Migration } from "./migration.ts";

/** Single sign-on: the providers of a team, whose accounts they know, and the domains that are proven. */
export const sso: Migration = {
  number: 42,
  name: "sso",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE sso_providers (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    preset ${text} NOT NULL,
    name ${text} NOT NULL,
    issuer ${text} NOT NULL,
    client_id ${text} NOT NULL,
    secret_sealed ${text} NOT NULL,
    is_on ${integer} NOT NULL,
    trusts_email ${integer} NOT NULL,
    trusts_factors ${integer} NOT NULL,
    creates_agents ${integer} NOT NULL,
    admin_group ${text},
    session_hours ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id) REFERENCES teams (team_id)
  ) ${clustered}`,

  `CREATE TABLE sso_identities (
    team_id ${id} NOT NULL,
    provider_id ${id} NOT NULL,
    subject ${text} NOT NULL,
    agent_id ${id} NOT NULL,
    email ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, provider_id, subject),
    FOREIGN KEY (team_id, provider_id) REFERENCES sso_providers (team_id, id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,
  // An agent has one subject at a provider.
  "CREATE UNIQUE INDEX sso_identities_of_agents ON sso_identities (team_id, agent_id, provider_id)",

  `CREATE TABLE sso_domains (
    team_id ${id} NOT NULL,
    domain ${text} NOT NULL,
    token ${text} NOT NULL,
    proven_at ${integer},
    required_at ${integer},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, domain),
    FOREIGN KEY (team_id) REFERENCES teams (team_id)
  ) ${clustered}`,

  // The proven ones, each of one team.
  `CREATE TABLE sso_domain_directory (
    domain ${text} NOT NULL PRIMARY KEY,
    team_id ${id} NOT NULL
  ) ${clustered}`,

  // Owners who keep their password where SSO is required.
  `CREATE TABLE break_glass_owners (
    team_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    PRIMARY KEY (team_id, agent_id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,

  // Tokens of back-channel logouts that were taken, so that each counts once.
  `CREATE TABLE sso_logouts (
    team_id ${id} NOT NULL,
    provider_id ${id} NOT NULL,
    token_id ${text} NOT NULL,
    expires_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, provider_id, token_id),
    FOREIGN KEY (team_id, provider_id) REFERENCES sso_providers (team_id, id)
  ) ${clustered}`,

  `ALTER TABLE sessions ADD COLUMN sso_provider_id ${id}`,
  `ALTER TABLE sessions ADD COLUMN sso_sid ${text}`,
  `ALTER TABLE sessions ADD COLUMN auth_time ${integer}`,
  `ALTER TABLE sessions ADD COLUMN amr ${text}`,
  `ALTER TABLE sessions ADD COLUMN ends_at ${integer}`,

  // A sign-in by SSO that waits for the agent's own second step.
  `ALTER TABLE second_steps ADD COLUMN sso_provider_id ${id}`,
  `ALTER TABLE second_steps ADD COLUMN sso_sid ${text}`,
  `ALTER TABLE second_steps ADD COLUMN sso ${text}`,
];
