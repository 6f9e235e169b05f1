import type { ColumnTypes, Migration } from "./migration.ts";

/** Visitors in their browsers: who they are, the messages they send again, what they and the team have seen, their replays. */
export const visitorChat: Migration = {
  number: 8,
  name: "visitor-chat",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE visitor_sessions (
    team_id ${id} NOT NULL,
    token_hash ${text} NOT NULL,
    contact_id ${id} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, token_hash),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,
  // A visitor names the widget and nothing else.
  "CREATE UNIQUE INDEX widgets_by_id ON widgets (id)",

  `ALTER TABLE messages ADD COLUMN client_id ${text}`,
  "CREATE UNIQUE INDEX messages_by_client ON messages (team_id, contact_id, client_id) WHERE client_id IS NOT NULL",

  // The sort numbers up to which each side has seen the conversation.
  `ALTER TABLE conversations ADD COLUMN visitor_seen_number ${integer} NOT NULL DEFAULT 0`,
  "CREATE INDEX events_of_contacts ON events (team_id, contact_id, number) WHERE contact_id IS NOT NULL",
];
