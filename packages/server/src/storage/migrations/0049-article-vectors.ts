import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * What the passages of articles mean, in numbers. Without a foreign key to `articles`, so that a process of before can remove an
 * article; what it leaves is swept away.
 */
export const articleVectors: Migration = {
  number: 49,
  name: "article-vectors",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE article_vectors (
    team_id ${id} NOT NULL,
    article_id ${id} NOT NULL,
    passage ${integer} NOT NULL,
    fingerprint ${text} NOT NULL,
    vector ${text} NOT NULL,
    version ${integer} NOT NULL,
    PRIMARY KEY (team_id, article_id, passage),
    FOREIGN KEY (team_id) REFERENCES teams (team_id)
  ) ${clustered}`,
  "CREATE INDEX article_vectors_by_version ON article_vectors (team_id, version)",

  // One row a team: the number of its last change, and of the last one that removed a vector; how near is near, of which model.
  `CREATE TABLE article_vector_versions (
    team_id ${id} NOT NULL PRIMARY KEY,
    version ${integer} NOT NULL,
    removed_version ${integer} NOT NULL,
    floor ${integer},
    floor_by ${text},
    FOREIGN KEY (team_id) REFERENCES teams (team_id)
  ) ${clustered}`,
];
