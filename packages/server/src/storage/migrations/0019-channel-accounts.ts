import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * Channel accounts, what people are known by there, and the messages that came from outside. A widget is the account of the
 * website with the widget's own id (docs/decisions/0040-channel-accounts.md).
 */
export const channelAccounts: Migration = {
  number: 19,
  name: "channel-accounts",
  breaking: true,
  statements: (types) => statements(types),
};

const statements = ({ engine, id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE channel_accounts (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    channel ${text} NOT NULL,
    name ${text},
    home_widget_id ${id} NOT NULL,
    state ${text} NOT NULL,
    state_reason ${text},
    provider_key ${text},
    settings ${text} NOT NULL,
    secrets_sealed ${text},
    last_received_at ${integer},
    last_sent_at ${integer},
    created_at ${integer} NOT NULL,
    deleted_at ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, home_widget_id) REFERENCES widgets
  ) ${clustered}`,
  `INSERT INTO channel_accounts (team_id, id, channel, home_widget_id, state, settings, created_at)
    SELECT team_id, id, 'website', id, 'active', '{}', created_at FROM widgets`,

  // Unique over all teams: a directory, whose key does not begin with the team.
  `CREATE TABLE channel_directory (
    channel ${text} NOT NULL,
    provider_key ${text} NOT NULL,
    team_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    PRIMARY KEY (channel, provider_key)
  ) ${clustered}`,

  `CREATE TABLE contact_identities (
    team_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    kind ${text} NOT NULL,
    value ${text} NOT NULL,
    contact_id ${id} NOT NULL,
    PRIMARY KEY (team_id, account_id, kind, value),
    FOREIGN KEY (team_id, account_id) REFERENCES channel_accounts,
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX contact_identities_of_contact ON contact_identities (team_id, contact_id, account_id)",

  `CREATE TABLE external_messages (
    team_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    external_id ${text} NOT NULL,
    direction ${text} NOT NULL,
    conversation_id ${id} NOT NULL,
    message_id ${id} NOT NULL,
    PRIMARY KEY (team_id, account_id, external_id, direction),
    FOREIGN KEY (team_id, account_id) REFERENCES channel_accounts,
    FOREIGN KEY (team_id, message_id) REFERENCES messages (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX external_messages_of_message ON external_messages (team_id, message_id)",

  `ALTER TABLE contacts ADD COLUMN channel ${text} NOT NULL DEFAULT 'website'`,

  ...(engine === "postgres"
    ? [
        `ALTER TABLE conversations ADD COLUMN account_id ${id}`,
        "UPDATE conversations SET account_id = widget_id",
        "ALTER TABLE conversations ALTER COLUMN account_id SET NOT NULL",
      ]
    : [
        // SQLite adds a column that is never null only with a default; every insert names the account.
        `ALTER TABLE conversations ADD COLUMN account_id ${id} NOT NULL DEFAULT ''`,
        "UPDATE conversations SET account_id = widget_id",
      ]),
  // The latest conversation of a contact is asked of an account. All those of a contact are few, and sorted when they are read.
  "DROP INDEX conversations_of_contact",
  `CREATE INDEX conversations_of_contact ON conversations
    (team_id, contact_id, account_id, last_message_at DESC, id DESC)`,
];
