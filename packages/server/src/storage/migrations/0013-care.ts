import type { ColumnTypes, Migration } from "./migration.ts";

/** What the team has read, what visitors thought of it, and how far they were told by mail. */
export const care: Migration = {
  number: 13,
  name: "care",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ text, integer }: ColumnTypes): string[] => [
  `ALTER TABLE conversations ADD COLUMN team_seen_number ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN rating ${integer}`,
  `ALTER TABLE conversations ADD COLUMN rating_comment ${text}`,
  `ALTER TABLE conversations ADD COLUMN rated_at ${integer}`,
  // The highest sort number that the visitor was told of by mail.
  `ALTER TABLE conversations ADD COLUMN mailed_number ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN mail_due_at ${integer}`,
  // What was answered before is no news: it is never mailed, and where nothing is unread somebody has read it.
  "UPDATE conversations SET mailed_number = last_sort_number",
  "UPDATE conversations SET team_seen_number = last_sort_number WHERE unread_messages = 0",
  // Whether a contact has chatted in a browser.
  "CREATE INDEX visitor_sessions_of_contacts ON visitor_sessions (team_id, contact_id)",
];
