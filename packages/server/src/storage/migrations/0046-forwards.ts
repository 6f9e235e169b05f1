import type { ColumnTypes, Migration } from "./migration.ts";

/** Mails that agents forward to outside addresses: which mail each of them passes on. */
export const forwards: Migration = {
  number: 46,
  name: "forwards",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text }: ColumnTypes): string[] => [
  `ALTER TABLE mails ADD COLUMN forward_of ${id}`,
  `ALTER TABLE mails ADD COLUMN forward_files ${text}`,
  "CREATE INDEX mails_forwards ON mails (team_id, forward_of) WHERE forward_of IS NOT NULL",
];
