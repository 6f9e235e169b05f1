import type { ColumnTypes, Migration } from "./migration.ts";

/** Visitors whom the owner's own server vouches for. */
export const identity: Migration = {
  number: 12,
  name: "identity",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer }: ColumnTypes): string[] => [
  // The secret that identity tokens are signed with, sealed; none before the owner asked for one.
  `ALTER TABLE widgets ADD COLUMN identity_secret_sealed ${text}`,
  `ALTER TABLE widgets ADD COLUMN identity_secret_at ${integer}`,
  // Until when the session may see a verified contact, and the widget whose secret vouched; null for one that is not verified.
  `ALTER TABLE visitor_sessions ADD COLUMN verified_until ${integer}`,
  `ALTER TABLE visitor_sessions ADD COLUMN vouched_by ${id}`,
  "CREATE INDEX visitor_sessions_vouched ON visitor_sessions (team_id, vouched_by) WHERE vouched_by IS NOT NULL",
  "CREATE UNIQUE INDEX contacts_by_verified_id ON contacts (team_id, verified_id) WHERE verified_id IS NOT NULL",
];
