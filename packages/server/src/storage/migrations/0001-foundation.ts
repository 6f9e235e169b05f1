import type { ColumnTypes, Migration } from "./migration.ts";

/** Teams, people, keys, widgets, contacts, conversations, messages, subscriptions, the event log, jobs. */
export const foundation: Migration = {
  number: 1,
  name: "foundation",
  breaking: true,
  statements: (types) => [...tables(types), ...(types.engine === "sqlite" ? sqliteSearch : postgresSearch)],
};

const tables = ({ id, text, integer, flag, clustered, plain, engine }: ColumnTypes): string[] => [
  `CREATE TABLE installation (name ${text} PRIMARY KEY, value ${text} NOT NULL) ${clustered}`,

  `CREATE TABLE teams (
    team_id ${id} PRIMARY KEY,
    name ${text} NOT NULL,
    api_access ${flag} NOT NULL,
    created_at ${integer} NOT NULL
  ) ${clustered}`,

  `CREATE TABLE team_counters (
    team_id ${id} PRIMARY KEY REFERENCES teams,
    event_number ${integer} NOT NULL,
    contacts ${integer} NOT NULL,
    conversations ${integer} NOT NULL,
    open_conversations ${integer} NOT NULL,
    agents ${integer} NOT NULL,
    widgets ${integer} NOT NULL,
    webhooks ${integer} NOT NULL
  ) ${clustered}`,

  `CREATE TABLE list_counts (
    team_id ${id} NOT NULL REFERENCES teams,
    list ${text} NOT NULL,
    period ${integer} NOT NULL,
    count ${integer} NOT NULL,
    PRIMARY KEY (team_id, list, period)
  ) ${clustered}`,

  `CREATE TABLE agents (
    team_id ${id} NOT NULL REFERENCES teams,
    id ${id} NOT NULL,
    email ${text} NOT NULL,
    email_folded ${text} NOT NULL,
    name ${text},
    role ${text} NOT NULL,
    status ${text} NOT NULL,
    online_status ${text} NOT NULL,
    profile_photo_url ${text},
    resized_profile_photo_url ${text},
    password_hash ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, email_folded)
  ) ${clustered}`,
  "CREATE INDEX agents_by_age ON agents (team_id, created_at, id)",

  `CREATE TABLE sign_ins (
    email_folded ${text} NOT NULL,
    team_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    PRIMARY KEY (email_folded, team_id)
  ) ${clustered}`,

  `CREATE TABLE invitations (
    team_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    invited_by ${id},
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, agent_id),
    UNIQUE (team_id, token_hash),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents
  ) ${clustered}`,

  `CREATE TABLE api_keys (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    name ${text} NOT NULL,
    key_hash ${text} NOT NULL,
    key_ending ${text} NOT NULL,
    scopes ${text} NOT NULL,
    agent_id ${id} NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer},
    last_used_at ${integer},
    revoked_at ${integer},
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, key_hash),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents
  ) ${clustered}`,

  `CREATE TABLE widgets (
    team_id ${id} NOT NULL REFERENCES teams,
    id ${id} NOT NULL,
    name ${text},
    icon ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX widgets_by_age ON widgets (team_id, created_at, id)",

  `CREATE TABLE contacts (
    ${engine === "sqlite" ? "row_key INTEGER PRIMARY KEY," : ""}
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    widget_id ${id} NOT NULL,
    name ${text},
    email ${text},
    email_folded ${text},
    phone ${text},
    phone_digits ${text} NOT NULL,
    search_text ${text} NOT NULL,
    country_dialing_code ${text},
    bgcolor ${text} NOT NULL,
    location ${text},
    browser_type ${text},
    country ${text},
    country_code ${text},
    online_status ${text} NOT NULL,
    last_active_at ${integer} NOT NULL,
    blocked_at ${integer},
    is_name_updated ${flag} NOT NULL,
    verified_id ${text},
    verified_email ${text},
    timezone ${text},
    language ${text},
    ip ${text},
    operating_system ${text},
    intake ${text},
    created_at ${integer} NOT NULL,
    ${engine === "sqlite" ? "UNIQUE" : "PRIMARY KEY"} (team_id, id),
    FOREIGN KEY (team_id, widget_id) REFERENCES widgets
  ) ${plain}`,
  "CREATE INDEX contacts_by_activity ON contacts (team_id, last_active_at DESC, id DESC)",
  `CREATE INDEX contacts_by_email ON contacts (team_id, widget_id, email_folded, last_active_at DESC, id DESC)
    WHERE email_folded IS NOT NULL`,

  `CREATE TABLE page_visits (
    team_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    id ${id} NOT NULL,
    page ${text} NOT NULL,
    visited_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, contact_id, id),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,

  `CREATE TABLE conversations (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    widget_id ${id} NOT NULL,
    channel ${text} NOT NULL,
    is_resolved ${flag} NOT NULL,
    resolved_at ${integer},
    resolved_by ${text},
    reopened_at ${integer},
    unread_messages ${integer} NOT NULL,
    last_message_at ${integer} NOT NULL,
    last_message_number ${integer} NOT NULL,
    last_sort_number ${integer} NOT NULL,
    message_count ${integer} NOT NULL,
    first_page_url ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX conversations_in_order ON conversations (team_id, is_resolved, last_message_at DESC, id DESC)",
  "CREATE INDEX conversations_of_contact ON conversations (team_id, contact_id, last_message_at DESC, id DESC)",

  `CREATE TABLE assignments (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    assigned_by ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, conversation_id, agent_id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations,
    FOREIGN KEY (team_id, agent_id) REFERENCES agents
  ) ${clustered}`,

  `CREATE TABLE messages (
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
    PRIMARY KEY (team_id, conversation_id, sort_number),
    UNIQUE (team_id, id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
  ) ${clustered}`,

  `CREATE TABLE attachments (
    team_id ${id} NOT NULL,
    message_id ${id} NOT NULL,
    position ${integer} NOT NULL,
    url ${text} NOT NULL,
    name ${text},
    type ${text},
    mime ${text},
    size ${integer},
    PRIMARY KEY (team_id, message_id, position),
    FOREIGN KEY (team_id, message_id) REFERENCES messages (team_id, id)
  ) ${clustered}`,

  `CREATE TABLE webhooks (
    team_id ${id} NOT NULL REFERENCES teams,
    id ${id} NOT NULL,
    name ${text} NOT NULL,
    endpoint_url ${text} NOT NULL,
    is_active ${flag} NOT NULL,
    events ${text} NOT NULL,
    secret_sealed ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX webhooks_by_age ON webhooks (team_id, created_at, id)",

  `CREATE TABLE events (
    team_id ${id} NOT NULL,
    number ${integer} NOT NULL,
    id ${text} NOT NULL,
    name ${text} NOT NULL,
    conversation_id ${id},
    contact_id ${id},
    actor ${text} NOT NULL,
    data ${text} NOT NULL,
    occurred_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, number)
  ) ${clustered}`,

  `CREATE TABLE idempotency_keys (
    team_id ${id} NOT NULL,
    api_key_id ${id} NOT NULL,
    key ${text} NOT NULL,
    fingerprint ${text} NOT NULL,
    status ${integer} NOT NULL,
    body_sealed ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, api_key_id, key)
  ) ${clustered}`,
  "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (team_id, created_at)",

  `CREATE TABLE jobs (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    kind ${text} NOT NULL,
    payload_sealed ${text} NOT NULL,
    state ${text} NOT NULL,
    attempts ${integer} NOT NULL,
    run_at ${integer} NOT NULL,
    lease_until ${integer},
    claim_id ${id},
    last_error ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX jobs_due ON jobs (team_id, run_at, id) WHERE state IN ('waiting', 'running')",
];

/** FTS5 keeps only the index; the text stays in `contacts`, and the triggers keep the two in step. */
const sqliteSearch = [
  `CREATE VIRTUAL TABLE contact_search USING fts5(
    search_text, phone_digits, content = 'contacts', content_rowid = 'row_key', tokenize = 'trigram case_sensitive 1'
  )`,
  `CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
    INSERT INTO contact_search (rowid, search_text, phone_digits)
      VALUES (new.row_key, new.search_text, new.phone_digits);
  END`,
  `CREATE TRIGGER contacts_search_update AFTER UPDATE OF search_text, phone_digits ON contacts
    WHEN old.search_text <> new.search_text OR old.phone_digits <> new.phone_digits BEGIN
    INSERT INTO contact_search (contact_search, rowid, search_text, phone_digits)
      VALUES ('delete', old.row_key, old.search_text, old.phone_digits);
    INSERT INTO contact_search (rowid, search_text, phone_digits)
      VALUES (new.row_key, new.search_text, new.phone_digits);
  END`,
  `CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
    INSERT INTO contact_search (contact_search, rowid, search_text, phone_digits)
      VALUES ('delete', old.row_key, old.search_text, old.phone_digits);
  END`,
];

/** btree_gin lets the team stand first in the trigram index. Both extensions are trusted: no superuser needed. */
const postgresSearch = [
  "CREATE EXTENSION IF NOT EXISTS pg_trgm",
  "CREATE EXTENSION IF NOT EXISTS btree_gin",
  "CREATE INDEX contacts_search ON contacts USING gin (team_id, search_text gin_trgm_ops, phone_digits gin_trgm_ops)",
];
