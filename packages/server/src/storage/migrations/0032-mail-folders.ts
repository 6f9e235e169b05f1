import type { ColumnTypes, Migration } from "./migration.ts";

/** Mailboxes that are read by IMAP: how far, and by which process. */
export const mailFolders: Migration = {
  number: 32,
  name: "mail-folders",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, flag, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE mail_folders (
    team_id ${id} NOT NULL REFERENCES teams,
    account_id ${id} NOT NULL,
    is_due ${flag} NOT NULL,
    owner_id ${id},
    folder ${text},
    uid_validity ${integer},
    last_uid ${integer} NOT NULL,
    connected_at ${integer},
    renumbered_to ${integer} NOT NULL,
    filed_uid ${integer} NOT NULL,
    gaps ${text} NOT NULL,
    PRIMARY KEY (team_id, account_id)
  ) ${clustered}`,
  // What the looks over all teams read.
  "CREATE INDEX mail_folders_due ON mail_folders (team_id, account_id) WHERE is_due = 1",
  "CREATE INDEX mail_folders_owned ON mail_folders (team_id, account_id, owner_id) WHERE owner_id IS NOT NULL",
  `CREATE TABLE mail_readers (
    id ${id} NOT NULL PRIMARY KEY,
    lease_until ${integer} NOT NULL
  ) ${clustered}`,
];
