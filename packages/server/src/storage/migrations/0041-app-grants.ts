import type { ColumnTypes, Migration } from "./migration.ts";

/** Apps that are connected by OAuth: which one a connection is of, what a person has allowed, and the tokens of it. */
export const appGrants: Migration = {
  number: 41,
  name: "app-grants",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `ALTER TABLE assistants ADD COLUMN app ${text}`,
  `ALTER TABLE assistants ADD COLUMN app_key ${text}`,

  `CREATE TABLE app_grants (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    assistant_id ${id} NOT NULL,
    client_id ${text} NOT NULL,
    redirect_uri ${text} NOT NULL,
    resource ${text} NOT NULL,
    challenge ${text} NOT NULL,
    code_hash ${text} NOT NULL,
    code_ends_at ${integer} NOT NULL,
    code_used_at ${integer},
    created_at ${integer} NOT NULL,
    ends_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, code_hash),
    FOREIGN KEY (team_id, assistant_id) REFERENCES assistants
  ) ${clustered}`,
  "CREATE INDEX app_grants_by_assistant ON app_grants (team_id, assistant_id)",

  // One row for each time that tokens are issued.
  `CREATE TABLE app_tokens (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    grant_id ${id} NOT NULL,
    parent_id ${id},
    access_hash ${text} NOT NULL,
    access_ends_at ${integer} NOT NULL,
    refresh_hash ${text} NOT NULL,
    refresh_ends_at ${integer} NOT NULL,
    issued_at ${integer} NOT NULL,
    used_at ${integer},
    replaced_at ${integer},
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, access_hash),
    UNIQUE (team_id, refresh_hash),
    FOREIGN KEY (team_id, grant_id) REFERENCES app_grants
  ) ${clustered}`,
  "CREATE INDEX app_tokens_by_grant ON app_tokens (team_id, grant_id, issued_at)",
  "CREATE INDEX app_tokens_by_age ON app_tokens (team_id, refresh_ends_at)",
];
