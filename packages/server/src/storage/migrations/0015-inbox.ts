import type { ColumnTypes, Migration } from "./migration.ts";

/** The order of the agents' inbox, what is put off, who was named, and what agents keep for themselves. */
export const inbox: Migration = {
  number: 15,
  name: "inbox",
  breaking: false,
  statements: (types) => statements(types),
};

/** The list of the inbox that a conversation stands in: exactly one, whatever changes it. */
const INBOX_LIST = `CASE
    WHEN is_resolved = 1 THEN 'resolved'
    WHEN snoozed_until IS NOT NULL OR snoozed_until_reply = 1 THEN 'snoozed'
    WHEN assigned_count > 0 THEN 'assigned'
    ELSE 'unassigned' END`;

const statements = ({ engine, id, text, integer, flag, clustered }: ColumnTypes): string[] => {
  // PostgreSQL 15 keeps what it generates, and SQLite can add only what it does not keep. An index keeps it for both.
  const kept = engine === "postgres" ? "STORED" : "VIRTUAL";
  const later = engine === "postgres" ? "greatest" : "max";
  return [
    `ALTER TABLE conversations ADD COLUMN assigned_count ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE conversations ADD COLUMN snoozed_until ${integer}`,
    `ALTER TABLE conversations ADD COLUMN snoozed_until_reply ${flag} NOT NULL DEFAULT 0`,
    `ALTER TABLE conversations ADD COLUMN woken_at ${integer}`,
    `UPDATE conversations SET assigned_count = (
      SELECT count(*) FROM assignments
        WHERE assignments.team_id = conversations.team_id AND assignments.conversation_id = conversations.id
    ) WHERE EXISTS (
      SELECT 1 FROM assignments
        WHERE assignments.team_id = conversations.team_id AND assignments.conversation_id = conversations.id
    )`,
    `ALTER TABLE conversations ADD COLUMN inbox_list ${text} GENERATED ALWAYS AS (${INBOX_LIST}) ${kept}`,
    `ALTER TABLE conversations ADD COLUMN active_at ${integer}
      GENERATED ALWAYS AS (${later}(last_message_at, coalesce(woken_at, 0))) ${kept}`,
    `CREATE INDEX conversations_in_inbox ON conversations
      (team_id, inbox_list, active_at DESC, id DESC, channel, widget_id)`,
    // Both change when the first message comes or somebody asks, and not with every message.
    "CREATE INDEX conversations_unread ON conversations (team_id, inbox_list, id) WHERE unread_messages > 0",
    `CREATE INDEX conversations_handed_over ON conversations (team_id, inbox_list, id)
      WHERE handoff_requested_at IS NOT NULL`,
    "CREATE INDEX assignments_of_agent ON assignments (team_id, agent_id, conversation_id)",

    `CREATE TABLE mentions (
      team_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      sort_number ${integer} NOT NULL,
      agent_id ${id} NOT NULL,
      is_read ${flag} NOT NULL,
      PRIMARY KEY (team_id, conversation_id, sort_number, agent_id),
      FOREIGN KEY (team_id, conversation_id, sort_number) REFERENCES messages,
      FOREIGN KEY (team_id, agent_id) REFERENCES agents
    ) ${clustered}`,
    "CREATE INDEX mentions_of_agent ON mentions (team_id, agent_id, is_read, conversation_id)",

    `CREATE TABLE drafts (
      team_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      mode ${text} NOT NULL,
      content ${text} NOT NULL,
      updated_at ${integer} NOT NULL,
      PRIMARY KEY (team_id, agent_id, conversation_id, mode),
      FOREIGN KEY (team_id, agent_id) REFERENCES agents,
      FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
    ) ${clustered}`,
    "CREATE INDEX drafts_of_conversation ON drafts (team_id, conversation_id)",

    `CREATE TABLE canned_replies (
      team_id ${id} NOT NULL REFERENCES teams,
      id ${id} NOT NULL,
      agent_id ${id},
      name ${text} NOT NULL,
      name_folded ${text} NOT NULL,
      content ${text} NOT NULL,
      updated_at ${integer} NOT NULL,
      PRIMARY KEY (team_id, id),
      FOREIGN KEY (team_id, agent_id) REFERENCES agents
    ) ${clustered}`,

    `CREATE TABLE saved_views (
      team_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      id ${id} NOT NULL,
      name ${text} NOT NULL,
      query ${text} NOT NULL,
      PRIMARY KEY (team_id, agent_id, id),
      FOREIGN KEY (team_id, agent_id) REFERENCES agents
    ) ${clustered}`,

    `CREATE TABLE preferences (
      team_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      value ${text} NOT NULL,
      PRIMARY KEY (team_id, agent_id),
      FOREIGN KEY (team_id, agent_id) REFERENCES agents
    ) ${clustered}`,
  ];
};
