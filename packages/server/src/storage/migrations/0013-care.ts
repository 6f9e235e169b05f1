import type { ColumnTypes, Migration } from "./migration.ts";

/** What the team has read, what visitors thought of it, and how far they were told by mail. */
export const care: Migration = {
  number: 13,
  name: "care",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ text, integer }: ColumnTypes): string[] => [
  `ALTER TABLE conversations ADD COLUMN team_seen_number ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN rating ${integer}`,
  `ALTER TABLE conversations ADD COLUMN rating_comment ${text}`,
  `ALTER TABLE conversations ADD COLUMN rated_at ${integer}`,
  // The highest sort number that the visitor was told of by mail.
  `ALTER TABLE conversations ADD COLUMN mailed_number ${integer} NOT NULL DEFAULT 0`,
];
