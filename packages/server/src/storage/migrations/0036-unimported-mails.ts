import type { ColumnTypes, Migration } from "./migration.ts";

/** Mails that became no message, by their age: retention takes the oldest. */
export const unimportedMails: Migration = {
  number: 36,
  name: "unimported-mails",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = (_: ColumnTypes): string[] => [
  `CREATE INDEX mail_imports_unimported_by_age ON mail_imports (team_id, account_id, taken_at)
    WHERE message_id IS NULL AND raw_file IS NOT NULL`,
];
