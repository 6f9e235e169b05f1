import type { ColumnTypes, Migration } from "./migration.ts";

/** Tokens of mailboxes that are signed in to by OAuth 2, by account. */
export const mailGrants: Migration = {
  number: 37,
  name: "mail-grants",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE mail_grants (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    tokens_sealed ${text},
    asked_sealed ${text},
    renewing_until ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, id) REFERENCES channel_accounts
  ) ${clustered}`,
];
