import { insertTerms, terms } from "./0018-contact-search-by-team.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * What people ask to have erased (docs/decisions/0053-erasing.md). A conversation goes in one commit and its messages in pieces after
 * it, and its episodes stay without it, so neither refers to its row any more.
 */
export const erasures: Migration = {
  number: 29,
  name: "erasures",
  breaking: true,
  statements: (types) => [
    ...newTables(types),
    ...(types.engine === "sqlite" ? [...rebuilt(types), ...securelySearched] : loosened),
    ...byAge(types),
  ],
};

const newTables = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE erasures (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    what ${text} NOT NULL,
    contact_id ${id},
    conversation_id ${id},
    message_id ${id},
    widget_id ${id},
    agent_id ${id},
    text_sealed ${text},
    state ${text} NOT NULL,
    reason ${text},
    requested_by ${text} NOT NULL,
    requested_at ${integer} NOT NULL,
    finished_at ${integer},
    erased ${text} NOT NULL,
    PRIMARY KEY (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX erasures_running ON erasures (team_id, requested_at) WHERE finished_at IS NULL",
  "CREATE INDEX erasures_naming ON erasures (team_id, finished_at) WHERE contact_id IS NOT NULL",
  // A removed widget stays until its last contact is erased.
  `ALTER TABLE widgets ADD COLUMN removed_at ${integer}`,
  "CREATE INDEX contacts_of_widget ON contacts (team_id, widget_id, id)",
  // What is still to be erased: ids of conversations whose rows are gone.
  `CREATE TABLE erased_conversations (
    team_id ${id} NOT NULL,
    erasure_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    events_before ${integer} NOT NULL,
    texts_up_to ${integer},
    PRIMARY KEY (team_id, erasure_id, conversation_id),
    FOREIGN KEY (team_id, erasure_id) REFERENCES erasures
  ) ${clustered}`,
  `CREATE TABLE erased_contacts (
    team_id ${id} NOT NULL,
    erasure_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    naming_sealed ${text} NOT NULL,
    PRIMARY KEY (team_id, erasure_id, contact_id),
    FOREIGN KEY (team_id, erasure_id) REFERENCES erasures
  ) ${clustered}`,
  `CREATE TABLE retention (
    team_id ${id} NOT NULL,
    settings ${text} NOT NULL,
    settings_before ${text},
    starts_at ${integer},
    changed_at ${integer} NOT NULL,
    erasure_id ${id},
    PRIMARY KEY (team_id)
  ) ${clustered}`,
  `CREATE TABLE holds (
    team_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    reason ${text} NOT NULL,
    held_by ${text} NOT NULL,
    held_at ${integer} NOT NULL,
    until ${integer},
    PRIMARY KEY (team_id, contact_id),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,
  `CREATE TABLE exports (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    state ${text} NOT NULL,
    include_notes ${integer} NOT NULL,
    token ${text} NOT NULL,
    link_hash ${text},
    requested_by ${text} NOT NULL,
    requested_at ${integer} NOT NULL,
    finished_at ${integer},
    size ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX exports_of_contact ON exports (team_id, contact_id, requested_at)",
  "CREATE INDEX exports_by_link ON exports (team_id, link_hash) WHERE link_hash IS NOT NULL",
  `ALTER TABLE teams ADD COLUMN data_requests ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE agents ADD COLUMN removed_at ${integer}`,
  "CREATE INDEX held_replies_of_conversation ON held_replies (team_id, conversation_id)",
  "CREATE INDEX jobs_with_errors ON jobs (team_id, id) WHERE last_error IS NOT NULL",
  // Their reasons are free text, which may name an erased contact.
  "CREATE INDEX audit_log_reasoned ON audit_log (team_id, id) WHERE action IN ('hold-contact', 'redact-message')",
  `CREATE INDEX events_about_erasing ON events (team_id, occurred_at)
    WHERE name IN ('erasure.started', 'contact.erased') AND contact_id IS NOT NULL`,
  "CREATE INDEX visitor_mails_of_conversation ON visitor_mails (team_id, conversation_id)",
  "CREATE INDEX queued_changes_of_conversation ON queued_changes (team_id, conversation_id)",
];

/** What retention finds the oldest by (docs/decisions/0055-retention.md): each row leaves its index when it is erased. */
const byAge = ({ engine, id, integer }: ColumnTypes): string[] => {
  const [kept, later] = engine === "postgres" ? ["STORED", "greatest"] : ["VIRTUAL", "max"];
  return [
    `ALTER TABLE conversations ADD COLUMN quiet_since ${integer}
      GENERATED ALWAYS AS (${later}(last_message_at, coalesce(resolved_at, 0))) ${kept}`,
    `ALTER TABLE conversations ADD COLUMN texts_erased_to ${integer} NOT NULL DEFAULT 0`,
    "CREATE INDEX conversations_by_quiet ON conversations (team_id, account_id, quiet_since) WHERE is_resolved = 1",
    `CREATE INDEX conversations_with_texts ON conversations (team_id, account_id, quiet_since)
      WHERE is_resolved = 1 AND texts_erased_to < last_sort_number`,
    `ALTER TABLE contacts ADD COLUMN conversation_count ${integer} NOT NULL DEFAULT 0`,
    `UPDATE contacts SET conversation_count = (SELECT count(*) FROM conversations
      WHERE conversations.team_id = contacts.team_id AND conversations.contact_id = contacts.id)`,
    `CREATE INDEX contacts_without_conversation ON contacts (team_id, widget_id, last_active_at)
      WHERE conversation_count = 0`,
    "CREATE INDEX contacts_with_ip ON contacts (team_id, created_at) WHERE ip IS NOT NULL",
    "CREATE INDEX sessions_with_ip ON sessions (team_id, created_at) WHERE ip IS NOT NULL",
    "CREATE INDEX audit_log_with_ip ON audit_log (team_id, id) WHERE ip IS NOT NULL",
    `ALTER TABLE page_visits ADD COLUMN widget_id ${id}`,
    `UPDATE page_visits SET widget_id = (SELECT widget_id FROM contacts
      WHERE contacts.team_id = page_visits.team_id AND contacts.id = page_visits.contact_id)`,
    "CREATE INDEX page_visits_by_age ON page_visits (team_id, widget_id, visited_at)",
    `ALTER TABLE attachments ADD COLUMN account_id ${id}`,
    `ALTER TABLE attachments ADD COLUMN created_at ${integer}`,
    `UPDATE attachments SET created_at = (SELECT created_at FROM messages
      WHERE messages.team_id = attachments.team_id AND messages.id = attachments.message_id)`,
    `UPDATE attachments SET account_id = (SELECT conversations.account_id FROM messages, conversations
      WHERE messages.team_id = attachments.team_id AND messages.id = attachments.message_id
        AND conversations.team_id = messages.team_id AND conversations.id = messages.conversation_id)`,
    "CREATE INDEX attachments_by_age ON attachments (team_id, account_id, created_at)",
  ];
};

const loosened = [
  "ALTER TABLE messages DROP CONSTRAINT messages_team_id_conversation_id_fkey",
  "ALTER TABLE episodes DROP CONSTRAINT episodes_team_id_conversation_id_fkey",
];

/** SQLite drops a foreign key only with its table. Migrations run with foreign keys off, and check them at the end. */
const rebuilt = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE messages_copy (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    sort_number ${integer} NOT NULL,
    id ${id} NOT NULL,
    contact_id ${id},
    agent_id ${id},
    type ${text} NOT NULL,
    origin ${text} NOT NULL,
    sent_via ${text} NOT NULL,
    content ${text},
    content_folded ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    client_id ${text},
    PRIMARY KEY (team_id, conversation_id, sort_number),
    UNIQUE (team_id, id)
  ) ${clustered}`,
  `INSERT INTO messages_copy (team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin, sent_via, content,
      content_folded, created_at, client_id)
    SELECT team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin, sent_via, content,
      content_folded, created_at, client_id FROM messages`,
  "DROP TABLE messages",
  "ALTER TABLE messages_copy RENAME TO messages",
  "CREATE UNIQUE INDEX messages_by_client ON messages (team_id, contact_id, client_id) WHERE client_id IS NOT NULL",
  `CREATE TABLE episodes_copy (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    number ${integer} NOT NULL,
    opened_at ${integer} NOT NULL,
    opened_by ${text},
    opened_by_id ${id},
    waiting_since ${integer},
    first_reply_at ${integer},
    first_reply_by ${id},
    first_reply_ms ${integer},
    first_reply_open_ms ${integer},
    replies ${integer} NOT NULL,
    assistant_replies ${integer} NOT NULL,
    last_reply_by ${id},
    snoozed_since ${integer},
    snoozed_ms ${integer} NOT NULL,
    resolved_at ${integer},
    resolved_by ${text},
    resolution_ms ${integer},
    resolution_open_ms ${integer},
    rating ${integer},
    rated_at ${integer},
    PRIMARY KEY (team_id, conversation_id, number)
  ) ${clustered}`,
  "INSERT INTO episodes_copy SELECT * FROM episodes",
  "DROP TABLE episodes",
  "ALTER TABLE episodes_copy RENAME TO episodes",
];

/**
 * Terms of a deleted contact go from the index at once, which FTS5 does only without its own marks of deleted rows
 * (`contentless_delete`): so it needs the terms again to delete them.
 */
const removeTerms = `INSERT INTO contact_search (contact_search, rowid, search_text, phone_digits)
    VALUES ('delete', old.row_key, ${terms("old", "search_text")}, ${terms("old", "phone_digits")});`;

const securelySearched = [
  "DROP TRIGGER contacts_search_insert",
  "DROP TRIGGER contacts_search_update",
  "DROP TRIGGER contacts_search_delete",
  "DROP TABLE contact_search",
  "CREATE VIRTUAL TABLE contact_search USING fts5(search_text, phone_digits, content = '', tokenize = 'ascii')",
  "INSERT INTO contact_search (contact_search, rank) VALUES ('secure-delete', 1)",
  `INSERT INTO contact_search (rowid, search_text, phone_digits)
    SELECT row_key, ${terms("contacts", "search_text")}, ${terms("contacts", "phone_digits")} FROM contacts`,
  `CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
    ${insertTerms}
  END`,
  `CREATE TRIGGER contacts_search_update AFTER UPDATE OF search_text, phone_digits ON contacts
    WHEN old.search_text <> new.search_text OR old.phone_digits <> new.phone_digits BEGIN
    ${removeTerms}
    ${insertTerms}
  END`,
  `CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
    ${removeTerms}
  END`,
];
