import type { ColumnTypes, Migration } from "./migration.ts";

/** Files that were sent to us, each with the secret of its address. */
export const files: Migration = {
  number: 11,
  name: "files",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE files (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    name ${text} NOT NULL,
    mime ${text} NOT NULL,
    size ${integer} NOT NULL,
    state ${text} NOT NULL,
    sent_by ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    used_at ${integer},
    PRIMARY KEY (team_id, id)
  ) ${clustered}`,
  "CREATE UNIQUE INDEX files_by_token ON files (team_id, token_hash)",
  // Those that no message holds are deleted after a day, and counted against whoever sent them.
  "CREATE INDEX files_unused ON files (team_id, created_at) WHERE used_at IS NULL",
  "CREATE INDEX files_unused_by_sender ON files (team_id, sent_by) WHERE used_at IS NULL",
];
