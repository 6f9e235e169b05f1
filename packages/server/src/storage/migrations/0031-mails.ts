import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * Mails that came in, each known by a key of its content for good, and what is kept of the mails of conversations beside their
 * messages. The raw mails are files.
 */
export const mails: Migration = {
  number: 31,
  name: "mails",
  breaking: true,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE mail_imports (
    team_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    key ${text} NOT NULL,
    state ${text} NOT NULL,
    raw_file ${id},
    message_id ${id},
    sender ${text},
    taken_at ${integer} NOT NULL,
    run_at ${integer} NOT NULL,
    attempts ${integer} NOT NULL,
    error ${text},
    PRIMARY KEY (team_id, account_id, key),
    FOREIGN KEY (team_id, account_id) REFERENCES channel_accounts
  ) ${clustered}`,
  "CREATE INDEX mail_imports_stored ON mail_imports (team_id, account_id, run_at, taken_at) WHERE state = 'stored'",
  "CREATE INDEX mail_imports_by_sender ON mail_imports (team_id, account_id, sender, taken_at) WHERE sender IS NOT NULL",
  "CREATE INDEX mail_imports_of_message ON mail_imports (team_id, message_id) WHERE message_id IS NOT NULL",

  `CREATE TABLE mails (
    team_id ${id} NOT NULL,
    message_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    direction ${text} NOT NULL,
    header_id ${text},
    subject ${text} NOT NULL,
    sender ${text},
    recipients ${text} NOT NULL,
    reference_ids ${text} NOT NULL,
    raw_file ${id},
    folded_text ${text},
    sent_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, message_id),
    FOREIGN KEY (team_id, account_id) REFERENCES channel_accounts
  ) ${clustered}`,
  "CREATE INDEX mails_by_header_id ON mails (team_id, account_id, header_id) WHERE header_id IS NOT NULL",
  "CREATE INDEX mails_of_conversation ON mails (team_id, conversation_id, sent_at)",

  `CREATE TABLE mail_tokens (
    team_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    conversation_id ${id} NOT NULL,
    address ${text} NOT NULL,
    PRIMARY KEY (team_id, token_hash)
  ) ${clustered}`,
  "CREATE UNIQUE INDEX mail_tokens_of_conversation ON mail_tokens (team_id, conversation_id, address)",

  `ALTER TABLE conversations ADD COLUMN email_subject ${text}`,
  `ALTER TABLE conversations ADD COLUMN external_identifier ${text}`,
];
