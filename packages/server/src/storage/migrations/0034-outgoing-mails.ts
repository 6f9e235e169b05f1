import type { ColumnTypes, Migration } from "./migration.ts";

/** Mails that are sent: each recipient with its own state, and the addresses that nothing is sent to any more. */
export const outgoingMails: Migration = {
  number: 34,
  name: "outgoing-mails",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `ALTER TABLE outbox_items ADD COLUMN message_id ${id}`,
  "CREATE INDEX outbox_items_of_message ON outbox_items (team_id, message_id) WHERE message_id IS NOT NULL",
  // Each mail has a token of its own: only its hash is stored, so that none can be used again.
  "DROP INDEX mail_tokens_of_conversation",
  "CREATE INDEX mail_tokens_of_conversation ON mail_tokens (team_id, conversation_id)",
  `CREATE TABLE mail_recipients (
    team_id ${id} NOT NULL,
    message_id ${id} NOT NULL,
    address ${text} NOT NULL,
    state ${text} NOT NULL,
    reason ${text},
    changed_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, message_id, address)
  ) ${clustered}`,
  `CREATE TABLE mail_suppressions (
    team_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    address ${text} NOT NULL,
    reason ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, account_id, address),
    FOREIGN KEY (team_id, account_id) REFERENCES channel_accounts
  ) ${clustered}`,
];
