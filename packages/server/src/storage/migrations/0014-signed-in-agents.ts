import type { ColumnTypes, Migration } from "./migration.ts";

/** Agents who sign in: their sessions, forgotten passwords, and what is done with settings and access. */
export const signedInAgents: Migration = {
  number: 14,
  name: "signed-in-agents",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  // auto, or away: shown as away whenever they are there.
  `ALTER TABLE agents ADD COLUMN availability ${text} NOT NULL DEFAULT 'auto'`,

  `CREATE TABLE sessions (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    last_seen_at ${integer} NOT NULL,
    ip ${text},
    user_agent ${text},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,
  "CREATE UNIQUE INDEX sessions_by_token ON sessions (team_id, token_hash)",
  "CREATE INDEX sessions_of_agents ON sessions (team_id, agent_id)",

  // One an agent: the latest link works, and no other.
  `CREATE TABLE password_resets (
    team_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, agent_id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,
  "CREATE UNIQUE INDEX password_resets_by_token ON password_resets (team_id, token_hash)",

  `CREATE TABLE audit_log (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    at ${integer} NOT NULL,
    actor_kind ${text} NOT NULL,
    actor_id ${id},
    action ${text} NOT NULL,
    what ${text} NOT NULL,
    ip ${text},
    PRIMARY KEY (team_id, id)
  ) ${clustered}`,
];
