import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * The index that contacts are searched by has the team in each of its terms, so that a search reads nothing of another
 * team: neither its contents nor the time it takes depend on them (docs/decisions/0033-search-in-pieces.md).
 *
 * A term is the end of the team's id and three characters in a row. Its end is enough: two teams that share it cost each
 * other time, and are told apart by `team_id` as ever.
 */
export const contactSearchByTeam: Migration = {
  number: 18,
  name: "contact-search-by-team",
  breaking: true,
  statements: ({ engine }: ColumnTypes) => (engine === "sqlite" ? sqlite : postgres),
};

/**
 * The terms of a column, in order, so that a phrase of them is a part of the text. Written in hexadecimal, since FTS5 splits
 * texts at everything that is no letter or digit. The list of positions is made of a blob, for triggers have no WITH.
 */
export const terms = (row: string, column: string): string => `(
    SELECT group_concat(substr(${row}.team_id, -12) || hex(substr(${row}.${column}, at.key + 1, 3)), ' ' ORDER BY at.key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(${row}.${column}) - 2)), '00', '0,'), ',') || ']') AS at
  )`;

export const insertTerms = `INSERT INTO contact_search (rowid, search_text, phone_digits)
    VALUES (new.row_key, ${terms("new", "search_text")}, ${terms("new", "phone_digits")});`;
const remove = "DELETE FROM contact_search WHERE rowid = old.row_key;";

const sqlite = [
  "DROP TRIGGER contacts_search_insert",
  "DROP TRIGGER contacts_search_update",
  "DROP TRIGGER contacts_search_delete",
  "DROP TABLE contact_search",
  `CREATE VIRTUAL TABLE contact_search USING fts5(
    search_text, phone_digits, content = '', contentless_delete = 1, tokenize = 'ascii'
  )`,
  `INSERT INTO contact_search (rowid, search_text, phone_digits)
    SELECT row_key, ${terms("contacts", "search_text")}, ${terms("contacts", "phone_digits")} FROM contacts`,
  `CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
    ${insertTerms}
  END`,
  `CREATE TRIGGER contacts_search_update AFTER UPDATE OF search_text, phone_digits ON contacts
    WHEN old.search_text <> new.search_text OR old.phone_digits <> new.phone_digits BEGIN
    ${remove}
    ${insertTerms}
  END`,
  `CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
    ${remove}
  END`,
];

/**
 * COST keeps the planner from calling the function for every contact instead of reading the index. A short list of pending
 * entries bounds what a search reads of other teams' latest writes.
 */
const postgres = [
  `CREATE OR REPLACE FUNCTION frontdesk_contact_terms(team uuid, searched text, digits text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
      SELECT coalesce(array_agg(right(team::text, 12) || term), '{}') FROM (
        SELECT 's' || substr(searched, at, 3) AS term FROM generate_series(1, length(searched) - 2) AS at
        UNION ALL
        SELECT 'p' || substr(digits, at, 3) FROM generate_series(1, length(digits) - 2) AS at
      ) AS terms
    $$`,
  "DROP INDEX contacts_search",
  `CREATE INDEX contacts_search ON contacts
    USING gin (frontdesk_contact_terms(team_id, search_text, phone_digits)) WITH (gin_pending_list_limit = 64)`,
];
