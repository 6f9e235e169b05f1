import type { ColumnTypes, Migration } from "./migration.ts";

/** How agents sign in, and when they last proved who they are. */
export const waysIn: Migration = {
  number: 40,
  name: "ways-in",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ text, integer }: ColumnTypes): string[] => [
  `ALTER TABLE sessions ADD COLUMN way_in ${text} NOT NULL DEFAULT 'password'`,
  `ALTER TABLE sessions ADD COLUMN verified_at ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE sessions ADD COLUMN replaced_hash ${text}`,
  "UPDATE sessions SET verified_at = created_at",
  "CREATE INDEX sessions_by_replaced_token ON sessions (team_id, replaced_hash)",
];
