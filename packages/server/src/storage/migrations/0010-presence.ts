import type { ColumnTypes, Migration } from "./migration.ts";

/** Who is online: found again after a crash by when they were last seen. */
export const presence: Migration = {
  number: 10,
  name: "presence",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ integer }: ColumnTypes): string[] => [
  `ALTER TABLE agents ADD COLUMN last_active_at ${integer} NOT NULL DEFAULT 0`,
  "CREATE INDEX agents_online ON agents (team_id, last_active_at) WHERE online_status <> 'offline'",
  "CREATE INDEX contacts_online ON contacts (team_id, last_active_at) WHERE online_status = 'online'",
];
