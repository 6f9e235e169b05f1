import type { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { columnTypes } from "./migrations/migration.ts";
import { statement, wholeRow } from "./statement.ts";

/** The data was written by an older Frontdesk than this one, and has not been migrated yet. */
export class SchemaTooOld extends Error {
  override name = "SchemaTooOld";
}

/** The data was written by a newer Frontdesk than this one. */
export class SchemaTooNew extends Error {
  override name = "SchemaTooNew";
}

/**
 * Applies missing migrations, in the caller's transaction: all of them or none.
 *
 * @param raw runs one SQL text on the same transaction
 * @returns the numbers that were applied, empty when the schema was up to date
 * @throws SchemaTooNew when the data has a breaking migration that this program does not know
 */
export async function migrate(
  db: Database,
  raw: (text: string) => Promise<Record<string, unknown>[]>,
): Promise<number[]> {
  const types = columnTypes[db.engine];
  await raw(`CREATE TABLE IF NOT EXISTS schema_migrations (
    number ${types.integer} PRIMARY KEY,
    name ${types.text} NOT NULL,
    breaking ${types.flag} NOT NULL,
    applied_at ${types.integer} NOT NULL
  ) ${types.plain}`);
  const present = await db.all(appliedMigrations, {});
  refuseNewer(present);

  const missing = migrations.filter((migration) => !present.some(({ number }) => number === migration.number));
  for (const { number, name, breaking, statements } of missing) {
    for (const text of statements(types)) await raw(text);
    await db.run(recordMigration, { number, name, breaking: breaking ? 1 : 0, applied_at: Date.now() });
  }
  return missing.map(({ number }) => number);
}

/** Resolves when the schema is exactly what this program needs, or newer without a breaking step. */
export async function checkSchema(db: Database): Promise<void> {
  const present = await db.all(appliedMigrations, {});
  refuseNewer(present);
  const missing = migrations.filter((migration) => !present.some(({ number }) => number === migration.number));
  if (missing.length > 0)
    throw new SchemaTooOld("The data is older than this version of Frontdesk. Run: npx frontdesk migrate");
}

interface Applied {
  number: number;
  name: string;
  breaking: number;
}

const appliedMigrations = statement<Record<never, never>, Applied>((db) =>
  db.selectFrom("schema_migrations").select(["number", "name", "breaking"]).orderBy("number"),
);

const recordMigration = statement<{ number: number; name: string; breaking: number; applied_at: number }>((db, param) =>
  db.insertInto("schema_migrations").values(wholeRow(param, "schema_migrations")),
);

function refuseNewer(present: Applied[]): void {
  const unknown = present.filter(({ number, breaking }) => breaking && !migrations.some((m) => m.number === number));
  if (unknown.length === 0) return;
  const names = unknown.map(({ number, name }) => `${number} ${name}`).join(", ");
  throw new SchemaTooNew(
    `The data was migrated by a newer Frontdesk (${names}), which this version cannot read. Start the newer version, or restore a backup.`,
  );
}
