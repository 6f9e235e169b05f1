import type { ColumnTypes, Migration } from "./migration.ts";

/** How agents sign in, what they prove it with, and when they last did. */
export const waysIn: Migration = {
  number: 40,
  name: "ways-in",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, flag, clustered }: ColumnTypes): string[] => [
  `ALTER TABLE sessions ADD COLUMN way_in ${text} NOT NULL DEFAULT 'password'`,
  `ALTER TABLE sessions ADD COLUMN verified_at ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE sessions ADD COLUMN replaced_hash ${text}`,
  `ALTER TABLE sessions ADD COLUMN reach ${text} NOT NULL DEFAULT 'everything'`,
  "UPDATE sessions SET verified_at = created_at",
  "CREATE INDEX sessions_by_replaced_token ON sessions (team_id, replaced_hash)",
  `ALTER TABLE teams ADD COLUMN factor_rule ${text} NOT NULL DEFAULT 'nobody'`,
  `ALTER TABLE teams ADD COLUMN trusts_browsers ${flag} NOT NULL DEFAULT 1`,

  `CREATE TABLE authenticator_apps (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    secret_sealed ${text} NOT NULL,
    last_step ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    confirmed_at ${integer},
    last_used_at ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,
  // One an agent.
  "CREATE UNIQUE INDEX authenticator_apps_of_agents ON authenticator_apps (team_id, agent_id)",

  `CREATE TABLE passkeys (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    credential_id ${text} NOT NULL,
    public_key ${text} NOT NULL,
    user_handle ${text} NOT NULL,
    rp_id ${text} NOT NULL,
    counter ${integer} NOT NULL,
    transports ${text} NOT NULL,
    is_synced ${flag} NOT NULL,
    name ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    last_used_at ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,
  "CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (team_id, credential_id)",
  "CREATE INDEX passkeys_of_agents ON passkeys (team_id, agent_id)",

  `CREATE TABLE recovery_codes (
    team_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    code_hash ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, agent_id, code_hash),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,

  `CREATE TABLE known_browsers (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    last_used_at ${integer} NOT NULL,
    user_agent ${text},
    trusted_until ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,
  "CREATE UNIQUE INDEX known_browsers_by_token ON known_browsers (team_id, token_hash)",
  "CREATE INDEX known_browsers_of_agents ON known_browsers (team_id, agent_id)",

  `CREATE TABLE second_steps (
    team_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    agent_id ${id} NOT NULL,
    expires_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, token_hash),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,

  "CREATE INDEX second_steps_of_agents ON second_steps (team_id, agent_id)",

  `CREATE TABLE code_failures (
    team_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    since ${integer} NOT NULL,
    failures ${integer} NOT NULL,
    PRIMARY KEY (team_id, agent_id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,

  `CREATE TABLE used_challenges (
    team_id ${id} NOT NULL,
    challenge_hash ${text} NOT NULL,
    expires_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, challenge_hash)
  ) ${clustered}`,
];
