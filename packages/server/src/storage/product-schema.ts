import { DatabaseSync } from "node:sqlite";
import { migrations } from "./migrations/index.ts";
import { columnTypes, type Migration } from "./migrations/migration.ts";

/** A table of the product, common to both engines. */
export interface ProductTable {
  name: string;
  /** In the order of the schema; without columns that only one engine has. */
  columns: readonly string[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
}

/** The tables of the product after some of its migrations. */
export interface ProductSchema {
  /** A table comes after those that it refers to. */
  tables: readonly ProductTable[];
  /** SQLite's search indexes, which are tables there, and are filled by triggers. */
  searchTables: readonly string[];
}

/** The migrations' own bookkeeping: a backup has it in its first line. */
const BOOKS = "schema_migrations";
/** SQLite's number of a row, which the search index refers to; PostgreSQL has no such column. */
const ENGINE_OWN_COLUMNS = new Set(["row_key"]);

/**
 * The tables that the migrations with these numbers create, without any database: they are applied to an empty SQLite in memory
 * whose schema is read once. So a table of a later migration is included automatically.
 */
export function productSchema(numbers: readonly number[]): ProductSchema {
  const name = numbers.join();
  const schema = known.get(name) ?? readSchema(numbers);
  known.set(name, schema);
  return schema;
}

const known = new Map<string, ProductSchema>();

function readSchema(numbers: readonly number[]): ProductSchema {
  const sqlite = new DatabaseSync(":memory:");
  try {
    for (const { statements } of migrationsWith(numbers)) {
      for (const text of statements(columnTypes.sqlite)) sqlite.exec(text);
    }
    const list = read<{ name: string; type: string }>(
      sqlite,
      "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    const tables = list
      .filter(({ name, type }) => type === "table" && name !== BOOKS)
      .map(({ name }) => describe(sqlite, name));
    return {
      tables: referredFirst(tables),
      searchTables: list.filter(({ type }) => type === "virtual").map(({ name }) => name),
    };
  } finally {
    sqlite.close();
  }
}

/** The migrations with these numbers, oldest first. */
export function migrationsWith(numbers: readonly number[]): Migration[] {
  return migrations.filter(({ number }) => numbers.includes(number));
}

/** The numbers that this program has no migration for. */
export function unknownMigrations(numbers: readonly number[]): number[] {
  return numbers.filter((number) => !migrations.some((migration) => migration.number === number));
}

interface Described extends ProductTable {
  refersTo: readonly string[];
}

function describe(sqlite: DatabaseSync, table: string): Described {
  const columns = read<{ name: string; pk: number }>(sqlite, "SELECT name, pk FROM pragma_table_info(?)", table);
  const references = read<{ table: string }>(sqlite, 'SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)', table);
  return {
    name: table,
    columns: columns.map(({ name }) => name).filter((name) => !ENGINE_OWN_COLUMNS.has(name)),
    key: keyOf(sqlite, table, columns),
    refersTo: references.map((reference) => reference.table).filter((name) => name !== table),
  };
}

/** The primary key, or the first unique one where SQLite uses its row number instead. */
function keyOf(sqlite: DatabaseSync, table: string, columns: readonly { name: string; pk: number }[]): string[] {
  const primary = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  if (primary.length > 0 && !primary.some(({ name }) => ENGINE_OWN_COLUMNS.has(name))) {
    return primary.map(({ name }) => name);
  }
  const unique = read<{ name: string }>(
    sqlite,
    `SELECT info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
      WHERE list.origin = 'u' AND list.partial = 0
        AND list.name = (SELECT min(name) FROM pragma_index_list(?) WHERE origin = 'u' AND partial = 0)
      ORDER BY info.seqno`,
    table,
    table,
  );
  if (unique.length === 0) throw new Error(`The table ${table} has no key that both engines know.`);
  return unique.map(({ name }) => name);
}

function referredFirst(tables: readonly Described[]): ProductTable[] {
  const sorted: Described[] = [];
  while (sorted.length < tables.length) {
    const next = tables.filter(
      (table) =>
        !sorted.includes(table) && table.refersTo.every((name) => sorted.some((earlier) => earlier.name === name)),
    );
    if (next.length === 0) throw new Error("Some tables refer to one another in a circle.");
    sorted.push(...next);
  }
  return sorted.map(({ name, columns, key }) => ({ name, columns, key }));
}

function read<Row>(sqlite: DatabaseSync, sql: string, ...values: string[]): Row[] {
  return sqlite.prepare(sql).all(...values) as Row[];
}
