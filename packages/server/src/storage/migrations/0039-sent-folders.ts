import type { ColumnTypes, Migration } from "./migration.ts";

/** Replies that teammates send from mail programs: how far the folder of sent mails was read, and in whose name they are kept. */
export const sentFolders: Migration = {
  number: 39,
  name: "sent-folders",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text }: ColumnTypes): string[] => [
  `ALTER TABLE mail_folders ADD COLUMN sent_position ${text}`,
  // A process of before does not look for this state, so that it imports none of them as a mail that came in.
  "CREATE INDEX mail_imports_sent ON mail_imports (team_id, account_id, run_at, taken_at) WHERE state = 'sent'",
  `ALTER TABLE agents ADD COLUMN account_id ${id}`,
  "CREATE UNIQUE INDEX agents_of_accounts ON agents (team_id, account_id) WHERE account_id IS NOT NULL",
];
