import { isDeepStrictEqual } from "node:util";
import { type Compilable, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { wasMigrated } from "../setup/installation-store.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { columnTypes } from "./migrations/migration.ts";
import { migrationsWith, type ProductSchema, type ProductTable, productSchema } from "./product-schema.ts";
import { type Statement, statement, textStatement, wholeRow } from "./statement.ts";

/** One value of a row, the same on both engines: ids and texts, times and counts. */
export type Value = string | number | null;
/** In the order of the table's columns. */
export type Row = readonly Value[];

/** Bounds the memory that reading needs: a row is a message of 10,000 characters at most, or an event with it. */
const PAGE_ROWS = 500;
/** Bounds how many inserts are under way to PostgreSQL at a time. */
const INSERTS_AHEAD = 500;

/** A migration that was applied to the data. */
export interface AppliedMigration {
  number: number;
  name: string;
  breaking: number;
  applied_at: number;
}

/** The migrations that the data has; none in an empty database. */
export async function appliedMigrations(db: Database): Promise<AppliedMigration[]> {
  const before = await db.first(wasMigrated, {});
  return before?.migrated ? db.all(everyMigration, {}) : [];
}

/** How many rows a table has. */
export async function countRows(db: Database, table: ProductTable): Promise<number> {
  return (await db.first(statementsOf(table).count, {}))?.total ?? 0;
}

/**
 * Every row of a table in the order of its key, some hundred at a time.
 *
 * @throws when a value is neither text, a number nor null: a backup of it would not be the same
 */
export async function* readRows(db: Database, table: ProductTable): AsyncGenerator<Row[]> {
  const { firstPage, nextPage } = statementsOf(table);
  let last: Record<string, Value> | undefined;
  for (;;) {
    const rows: Record<string, Value>[] = await (last ? db.all(nextPage, last) : db.all(firstPage, {}));
    if (rows.length > 0) yield rows.map((row) => table.columns.map((column) => plain(row[column], table, column)));
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1);
  }
}

/** Inserts rows without waiting for each; `settled` resolves when all of them are inserted, and rejects when one is not. */
export function rowWriter(
  db: Database,
  table: ProductTable,
): { add(row: Row): Promise<void>; settled(): Promise<void> } {
  const { insert } = statementsOf(table);
  let ahead: Promise<unknown>[] = [];
  const settled = async () => {
    const waiting = ahead;
    ahead = [];
    await Promise.all(waiting);
  };
  return {
    async add(row) {
      const inserted = db.run(
        insert,
        Object.fromEntries(table.columns.map((column, index) => [column, row[index] ?? null])),
      );
      // It is awaited a little later; until then its failure must not count as unhandled.
      inserted.catch(() => {});
      ahead.push(inserted);
      if (ahead.length >= INSERTS_AHEAD) await settled();
    },
    settled,
  };
}

/**
 * Empties the database and gives it the schema of exactly these migrations, in the caller's transaction.
 *
 * @param db up to date (`bringUpToDate`): so it has its bookkeeping, and all its tables are known
 */
export async function startOver(db: Database, wanted: readonly AppliedMigration[]): Promise<void> {
  const present = (await db.all(everyMigration, {})).map(({ number }) => number);
  const numbers = wanted.map(({ number }) => number);
  // A new schema takes PostgreSQL a second.
  if (db.engine === "postgres" && isDeepStrictEqual(present, numbers)) await emptyTables(db, present);
  else await replaceTables(db, present, numbers);
  await db.run(forgetMigrations, {});
  for (const row of wanted) await db.run(insertMigration, row);
}

async function emptyTables(db: Database, present: readonly number[]): Promise<void> {
  await db.run(textStatement(`TRUNCATE ${listed(productSchema(present))}`), {});
}

async function replaceTables(db: Database, present: readonly number[], wanted: readonly number[]): Promise<void> {
  const schema = productSchema(present);
  if (db.engine === "postgres") {
    await db.run(textStatement(`DROP TABLE ${listed(schema)}`), {});
  } else {
    const names = [...schema.searchTables, ...schema.tables.map(({ name }) => name).reverse()];
    for (const name of names) await db.run(textStatement(`DROP TABLE "${name}"`), {});
  }
  for (const migration of migrationsWith(wanted)) {
    for (const text of migration.statements(columnTypes[db.engine])) await db.run(textStatement(text), {});
  }
}

const listed = ({ tables }: ProductSchema): string => tables.map(({ name }) => `"${name}"`).join(", ");

/**
 * Applies missing migrations, in the caller's transaction; returns their numbers.
 *
 * @throws SchemaTooNew when a newer Frontdesk has migrated the data
 */
export function bringUpToDate(db: Database): Promise<number[]> {
  return migrate(db, (text) => db.all(textStatement(text), {}));
}

/** Blocks other migrations until the end of the transaction; on SQLite there is no other writer anyway. */
export async function lockSchema(db: Database): Promise<void> {
  // The number is the one that PostgreSQL's `migrate` takes.
  if (db.engine === "postgres") await db.all(textStatement("SELECT pg_advisory_xact_lock(4713017)"), {});
}

const everyMigration = statement<Record<never, never>, AppliedMigration>((db) =>
  db.selectFrom("schema_migrations").selectAll().orderBy("number"),
);

const forgetMigrations = statement<Record<never, never>>((db) => db.deleteFrom("schema_migrations"));

const insertMigration = statement<AppliedMigration>((db, param) =>
  db.insertInto("schema_migrations").values(wholeRow(param, "schema_migrations")),
);

type Named = Record<string, Value>;

interface TableStatements {
  count: Statement<Record<never, never>, { total: number }>;
  firstPage: Statement<Record<never, never>, Named>;
  nextPage: Statement<Named, Named>;
  insert: Statement<Named, unknown>;
}

/** By name and columns, so that each is compiled once. */
const known = new Map<string, TableStatements>();

/** How the rows of a table are counted, read and inserted. Exported for the tests that check every statement. */
export function statementsOf({ name, columns, key }: ProductTable): TableStatements {
  const id = [name, ...columns].join();
  const found = known.get(id);
  if (found) return found;
  const list = (names: readonly string[]) => sql.join(names.map((column) => sql.ref(column)));
  const page = sql`select ${list(columns)} from ${sql.table(name)}`;
  const end = sql`order by ${list(key)} limit ${sql.lit(PAGE_ROWS)}`;
  const made: TableStatements = {
    count: statement((db) => query(sql<{ total: number }>`select count(*) as total from ${sql.table(name)}`, db)),
    firstPage: statement((db) => query(sql<Named>`${page} ${end}`, db)),
    nextPage: statement<Named, Named>((db, param) =>
      query(sql<Named>`${page} where (${list(key)}) > (${sql.join(key.map((column) => param(column)))}) ${end}`, db),
    ),
    insert: statement<Named>((db, param) =>
      query(
        sql`insert into ${sql.table(name)} (${list(columns)}) values (${sql.join(columns.map((column) => param(column)))})`,
        db,
      ),
    ),
  };
  known.set(id, made);
  return made;
}

function query<Row>(text: RawBuilder<Row>, db: QueryExecutorProvider): Compilable<Row> {
  return { compile: () => text.compile(db) };
}

function plain(value: unknown, table: ProductTable, column: string): Value {
  if (value === null || typeof value === "string" || Number.isSafeInteger(value)) return value as Value;
  throw new Error(`${table.name}.${column} holds a value that a backup cannot keep: ${typeof value}.`);
}
