import { query } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { migrations } from "../storage/migrations/index.ts";
import { productSchema } from "../storage/product-schema.ts";
import { elsewhereErased, whereErased } from "./where-erased.ts";

/** The number of a row that SQLite's search index points to. */
const ENGINE_OWN_COLUMNS = new Set(["row_key"]);

const { storage } = await openTestStorage({ migrated: true });

test("every table has a line in the erasure list, and each column too where the row stays", async () => {
  const found = new Map<string, string[]>();
  for (const { table, column } of await storedColumns()) {
    if (!ENGINE_OWN_COLUMNS.has(column)) found.set(table, [...(found.get(table) ?? []), column]);
  }
  expect(found.size).toBeGreaterThan(40);
  expect(Object.keys(whereErased).sort()).toEqual([...found.keys()].sort());
  for (const [table, fate] of Object.entries(whereErased)) {
    if (typeof fate === "string" || !("columns" in fate)) continue;
    expect({ table, columns: Object.keys(fate.columns).sort() }).toEqual({ table, columns: found.get(table)?.sort() });
  }
});

test("every search index has a line too", () => {
  const { searchTables } = productSchema(migrations.map(({ number }) => number));
  expect(searchTables.length).toBeGreaterThan(0);
  for (const name of searchTables) expect(Object.keys(elsewhereErased)).toContain(name);
});

async function storedColumns(): Promise<{ table: string; column: string }[]> {
  const rows =
    engine === "postgres"
      ? `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_generated = 'NEVER'`
      : `SELECT tables.name AS "table", info.name AS "column"
          FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS info
          WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND info.hidden = 0`;
  return (await query(storage, rows)).map(({ table, column }) => ({ table: String(table), column: String(column) }));
}
