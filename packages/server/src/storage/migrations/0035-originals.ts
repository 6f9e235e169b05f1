import type { ColumnTypes, Migration } from "./migration.ts";

/** What is known of the originals of mails without reading them: how old they are, and which became no message. */
export const originals: Migration = {
  number: 35,
  name: "originals",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ flag }: ColumnTypes): string[] => [
  `ALTER TABLE mails ADD COLUMN has_html ${flag} NOT NULL DEFAULT 0`,
  "CREATE INDEX mails_with_original ON mails (team_id, account_id, sent_at) WHERE raw_file IS NOT NULL",
  `CREATE INDEX mail_imports_without_message ON mail_imports (team_id, account_id, sender)
    WHERE message_id IS NULL AND raw_file IS NOT NULL`,
];
