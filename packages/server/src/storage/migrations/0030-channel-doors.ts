import type { ColumnTypes, Migration } from "./migration.ts";

/** Finds the account of a callback address, which contains a secret and no team: a directory, whose key does not begin with the team. */
export const channelDoors: Migration = {
  number: 30,
  name: "channel-doors",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE channel_doors (
    secret_hash ${text} NOT NULL,
    team_id ${id} NOT NULL,
    account_id ${id} NOT NULL,
    PRIMARY KEY (secret_hash)
  ) ${clustered}`,
  "CREATE INDEX channel_doors_of_account ON channel_doors (team_id, account_id)",
];
