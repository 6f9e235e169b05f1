import type { ColumnTypes, Migration } from "./migration.ts";

/** Where articles come from besides agents: sites with their pages, files by their names, and conversations. */
export const articleSources: Migration = {
  number: 48,
  name: "article-sources",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, flag, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE article_sites (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    address ${text} NOT NULL,
    prefix ${text} NOT NULL,
    state ${text} NOT NULL,
    problem ${text},
    problem_detail ${text},
    created_at ${integer} NOT NULL,
    began_at ${integer},
    read_at ${integer},
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id) REFERENCES teams (team_id)
  ) ${clustered}`,

  `CREATE TABLE site_pages (
    team_id ${id} NOT NULL,
    site_id ${id} NOT NULL,
    place ${integer} NOT NULL,
    address ${text} NOT NULL,
    is_due ${flag} NOT NULL,
    misses ${integer} NOT NULL,
    problem ${text},
    etag ${text},
    last_modified ${text},
    content_hash ${text},
    article_ids ${text} NOT NULL,
    PRIMARY KEY (team_id, site_id, place),
    FOREIGN KEY (team_id, site_id) REFERENCES article_sites (team_id, id)
  ) ${clustered}`,

  // The conversation that an article was drafted from; nothing else of it is in the article.
  `CREATE TABLE article_origins (
    team_id ${id} NOT NULL,
    article_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    PRIMARY KEY (team_id, article_id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX article_origins_of_conversation ON article_origins (team_id, conversation_id)",

  `ALTER TABLE articles ADD COLUMN file_name ${text}`,
];
