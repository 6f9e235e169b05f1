import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * Mails that are spam, by the age of their originals: the newest are listed, and the oldest go. Held ones by the age of their messages,
 * to be listed.
 */
export const spam: Migration = {
  number: 38,
  name: "spam",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ flag, text }: ColumnTypes): string[] => [
  `ALTER TABLE mail_imports ADD COLUMN not_spam ${flag} NOT NULL DEFAULT 0`,
  `ALTER TABLE mail_imports ADD COLUMN preview ${text}`,
  "CREATE INDEX mail_imports_spam ON mail_imports (team_id, raw_file) WHERE state = 'spam'",
  "CREATE INDEX mail_imports_held ON mail_imports (team_id, message_id) WHERE state = 'held'",
];
