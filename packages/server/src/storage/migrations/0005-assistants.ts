import type { ColumnTypes, Migration } from "./migration.ts";

/** Assistant connections, what they have called, open confirmations; handoffs. */
export const assistants: Migration = {
  number: 5,
  name: "assistants",
  breaking: false,
  statements: (types) => tables(types),
};

const tables = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE assistants (
    team_id ${id} NOT NULL REFERENCES teams,
    id ${id} NOT NULL,
    name ${text} NOT NULL,
    token_hash ${text} NOT NULL,
    token_ending ${text} NOT NULL,
    permissions ${text} NOT NULL,
    widgets ${text} NOT NULL,
    channels ${text} NOT NULL,
    agent_id ${id},
    created_by ${id},
    state ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    last_used_at ${integer},
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, token_hash)
  ) ${clustered}`,

  `CREATE TABLE confirmations (
    team_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    assistant_id ${id} NOT NULL,
    tool ${text} NOT NULL,
    arguments_hash ${text} NOT NULL,
    expires_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, token_hash),
    FOREIGN KEY (team_id, assistant_id) REFERENCES assistants
  ) ${clustered}`,
  "CREATE INDEX confirmations_by_age ON confirmations (team_id, expires_at)",

  `CREATE TABLE tool_calls (
    team_id ${id} NOT NULL,
    assistant_id ${id} NOT NULL,
    id ${id} NOT NULL,
    tool ${text} NOT NULL,
    arguments ${text} NOT NULL,
    outcome ${text} NOT NULL,
    message ${text},
    duration_ms ${integer} NOT NULL,
    called_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, assistant_id, id),
    FOREIGN KEY (team_id, assistant_id) REFERENCES assistants
  ) ${clustered}`,

  // One for each conversation of a call that names several; a job does it.
  `CREATE TABLE queued_changes (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    assistant_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    operation ${text} NOT NULL,
    input ${text} NOT NULL,
    state ${text} NOT NULL,
    message ${text},
    queued_at ${integer} NOT NULL,
    ended_at ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, assistant_id) REFERENCES assistants,
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
  ) ${clustered}`,

  // Which assistant asked for a human, and when; null when none has (decision 58).
  `ALTER TABLE conversations ADD COLUMN handoff_requested_at ${integer}`,
];
