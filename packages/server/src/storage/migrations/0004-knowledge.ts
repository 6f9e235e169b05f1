import type { ColumnTypes, Migration } from "./migration.ts";

/** The knowledge base: questions and answers, and the words that the published ones are found by. */
export const knowledge: Migration = {
  number: 4,
  name: "knowledge",
  breaking: false,
  statements: (types) => tables(types),
};

const tables = ({ engine, id, text, integer, flag, clustered }: ColumnTypes): string[] => {
  // Words are looked up by their beginnings, so both engines must sort them by their bytes.
  const word = engine === "postgres" ? `${text} COLLATE "C"` : text;
  return [
    `ALTER TABLE team_counters ADD COLUMN articles ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE team_counters ADD COLUMN published_articles ${integer} NOT NULL DEFAULT 0`,

    `CREATE TABLE articles (
      team_id ${id} NOT NULL REFERENCES teams,
      id ${id} NOT NULL,
      question ${text} NOT NULL,
      answer ${text} NOT NULL,
      is_published ${flag} NOT NULL,
      created_by ${id},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      words ${text} NOT NULL,
      PRIMARY KEY (team_id, id),
      FOREIGN KEY (team_id, created_by) REFERENCES agents
    ) ${clustered}`,
    "CREATE INDEX articles_by_change ON articles (team_id, updated_at DESC, id DESC)",

    `CREATE TABLE knowledge_words (
      team_id ${id} NOT NULL REFERENCES teams,
      word ${word} NOT NULL,
      backward ${word} NOT NULL,
      articles ${integer} NOT NULL,
      PRIMARY KEY (team_id, word)
    ) ${clustered}`,
    "CREATE INDEX knowledge_words_by_ending ON knowledge_words (team_id, backward)",

    // No foreign key to articles: removing one would look through all words of the team for it. Its own words are in its row.
    `CREATE TABLE article_words (
      team_id ${id} NOT NULL REFERENCES teams,
      word ${word} NOT NULL,
      article_id ${id} NOT NULL,
      weight ${integer} NOT NULL,
      PRIMARY KEY (team_id, word, article_id)
    ) ${clustered}`,
  ];
};
