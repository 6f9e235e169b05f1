import type { ColumnTypes, Migration } from "./migration.ts";

/** The tags of a team and which conversation has which; the names of its custom data and the values of contacts. */
export const tagsAndCustomData: Migration = {
  number: 2,
  name: "tags-and-custom-data",
  breaking: false,
  statements: (types) => tables(types),
};

const tables = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE tags (
    team_id ${id} NOT NULL REFERENCES teams,
    id ${id} NOT NULL,
    name ${text} NOT NULL,
    name_folded ${text} NOT NULL,
    color ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, name_folded)
  ) ${clustered}`,

  `CREATE TABLE conversation_tags (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    tag_id ${id} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, conversation_id, tag_id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations,
    FOREIGN KEY (team_id, tag_id) REFERENCES tags
  ) ${clustered}`,
  "CREATE INDEX conversations_with_tag ON conversation_tags (team_id, tag_id, conversation_id)",

  `CREATE TABLE custom_fields (
    team_id ${id} NOT NULL REFERENCES teams,
    id ${id} NOT NULL,
    name ${text} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    UNIQUE (team_id, name)
  ) ${clustered}`,

  `CREATE TABLE custom_data (
    team_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    field_id ${id} NOT NULL,
    value ${text} NOT NULL,
    updated_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, contact_id, field_id),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id),
    FOREIGN KEY (team_id, field_id) REFERENCES custom_fields
  ) ${clustered}`,
];
