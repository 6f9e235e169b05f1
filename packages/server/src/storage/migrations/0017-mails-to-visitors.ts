import type { ColumnTypes, Migration } from "./migration.ts";

/** Which mails went to visitors within the last hour, so that an address can be kept from getting too many. */
export const mailsToVisitors: Migration = {
  number: 17,
  name: "mails-to-visitors",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  // The key names a mail: one that is sent again after a crash is the same one.
  `CREATE TABLE visitor_mails (
    team_id ${id} NOT NULL,
    email_folded ${text} NOT NULL,
    conversation_id ${id} NOT NULL,
    up_to ${integer} NOT NULL,
    sent_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, email_folded, conversation_id, up_to),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
  ) ${clustered}`,
  "CREATE INDEX visitor_mails_by_age ON visitor_mails (team_id, sent_at)",
];
