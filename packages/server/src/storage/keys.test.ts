/**
 * The keys that let the tables be distributed over machines by team (docs/decisions/0041-ready-for-a-cluster.md), read from the
 * engine's catalogue.
 */

import { query } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";
import { tableKind } from "./table-kinds.ts";

interface Key {
  table: string;
  name: string;
  /** In the order of the key. */
  columns: string[];
}

interface ForeignKey extends Key {
  /** The columns that they refer to, in the same order. */
  referred: string[];
}

/** SQLite's number of a row, the key of the tables that its search index points to. PostgreSQL has no such column. */
const ENGINE_OWN_KEY = "row_key";

const { storage } = await openTestStorage({ migrated: true });
const tables = Object.keys(columnsOf) as (keyof typeof columnsOf)[];
const isOfTeams = ({ table }: Key) => tableKind(table) === "team";

test("every table carries the team, but for the installation's own", () => {
  const without = tables.filter((table) => !("team_id" in columnsOf[table]));
  expect(without).toEqual(tables.filter((table) => tableKind(table) === "installation"));
});

test("every primary key and every unique index begins with team_id, but in directories", async () => {
  const keys = await uniqueKeys();
  expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(tables));
  expect(keys.filter(isOfTeams).filter(({ columns }) => columns[0] !== "team_id")).toEqual([]);
});

test("a directory stands in no other way than its key: a key that begins with the team needs none", async () => {
  const directories = (await uniqueKeys()).filter(({ table }) => tableKind(table) === "directory");
  expect(directories.length).toBeGreaterThan(1);
  expect(directories.filter(({ columns }) => columns[0] === "team_id")).toEqual([]);
});

test("every foreign key leads from a team's row to a row of the same team", async () => {
  const keys = await foreignKeys();
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter(({ columns, referred }) => columns[0] !== "team_id" || referred[0] !== "team_id")).toEqual([]);
  expect(keys.filter((key) => !isOfTeams(key))).toEqual([]);
});

async function uniqueKeys(): Promise<Key[]> {
  if (engine === "postgres") {
    return grouped(
      `SELECT tables.relname AS "table", indexes.relname AS name, attributes.attname AS "column"
        FROM pg_index
          JOIN pg_class AS tables ON tables.oid = indrelid
          JOIN pg_class AS indexes ON indexes.oid = indexrelid
          CROSS JOIN LATERAL unnest(indkey) WITH ORDINALITY AS parts (number, position)
          LEFT JOIN pg_attribute AS attributes ON attributes.attrelid = indrelid AND attributes.attnum = parts.number
        WHERE indisunique AND tables.relnamespace = current_schema()::regnamespace
        ORDER BY indexes.relname, position`,
    );
  }
  const unique = await grouped(
    `SELECT tables.name AS "table", indexes.name, parts.name AS "column"
      FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS indexes, pragma_index_info(indexes.name) AS parts
      WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND indexes."unique"
      ORDER BY indexes.name, parts.seqno`,
  );
  // A primary key of one whole number is the row's own number there, without an index.
  const primary = await grouped(
    `SELECT tables.name AS "table", tables.name || ' primary' AS name, columns.name AS "column"
      FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
      WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND columns.pk > 0
      ORDER BY tables.name, columns.pk`,
  );
  return [...unique, ...primary.filter(({ columns }) => columns[0] !== ENGINE_OWN_KEY)];
}

async function foreignKeys(): Promise<ForeignKey[]> {
  const parts =
    engine === "postgres"
      ? `SELECT tables.relname AS "table", conname AS name, own.attname AS "column", other.attname AS referred
          FROM pg_constraint
            JOIN pg_class AS tables ON tables.oid = conrelid
            CROSS JOIN LATERAL unnest(conkey, confkey) WITH ORDINALITY AS parts (own_number, other_number, position)
            JOIN pg_attribute AS own ON own.attrelid = conrelid AND own.attnum = own_number
            JOIN pg_attribute AS other ON other.attrelid = confrelid AND other.attnum = other_number
          WHERE contype = 'f' AND tables.relnamespace = current_schema()::regnamespace
          ORDER BY conrelid, conname, position`
      : // Without names of columns the key of the other table is meant, whose first column the test before holds.
        `SELECT tables.name AS "table", tables.name || ' ' || parts.id AS name, parts."from" AS "column",
            coalesce(parts."to", CASE WHEN parts.seq = 0 THEN keys.name END) AS referred
          FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name) AS parts
            LEFT JOIN pragma_table_info(parts."table") AS keys ON keys.pk = 1
          WHERE tables.schema = 'main' AND tables.type = 'table'
          ORDER BY tables.name, parts.id, parts.seq`;
  return grouped(parts);
}

/** A row a column becomes an entry a key. */
async function grouped(text: string): Promise<ForeignKey[]> {
  const keys = new Map<string, ForeignKey>();
  for (const { table, name, column, referred } of await query(storage, text)) {
    const key = keys.get(`${table} ${name}`) ?? { table: `${table}`, name: `${name}`, columns: [], referred: [] };
    key.columns.push(String(column));
    key.referred.push(String(referred));
    keys.set(`${table} ${name}`, key);
  }
  return [...keys.values()];
}
