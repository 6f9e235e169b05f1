import { query } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { columnsOf, generatedColumnsOf } from "./columns.ts";
import type { Storage } from "./database.ts";

/** The number of a row that SQLite's search index points to; PostgreSQL has no such column. */
const ENGINE_OWN_COLUMNS = new Set(["row_key"]);

test("the schema of the engine has exactly the tables and columns of columns.ts, of the same kinds", async () => {
  const { storage } = await openTestStorage();
  await storage.migrate();
  const found = engine === "postgres" ? await postgresSchema(storage) : await sqliteSchema(storage);
  expect(found.size).toBeGreaterThan(30);

  const generated: Record<string, Record<string, string>> = generatedColumnsOf;
  expect([...found.keys()].sort()).toEqual(Object.keys(columnsOf).sort());
  for (const [table, columns] of Object.entries(columnsOf)) {
    expect({ table, ...found.get(table)?.stored }).toEqual({ table, ...kindsOf(columns) });
    expect({ table, ...found.get(table)?.generated }).toEqual({ table, ...kindsOf(generated[table] ?? {}) });
  }
});

/** The types that the engine distinguishes: SQLite has no types for ids and flags. */
function kindsOf(columns: Record<string, string>): Record<string, string> {
  if (engine === "postgres") return columns;
  return Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, kind.replace("id", "text").replace("flag", "integer")]),
  );
}

interface Table {
  stored: Record<string, string>;
  generated: Record<string, string>;
}

async function sqliteSchema(storage: Storage): Promise<Map<string, Table>> {
  const rows = await query(
    storage,
    `SELECT tables.name AS "table", info.name AS "column", lower(info.type) AS kind,
        info."notnull" OR info.pk > 0 AS required, info.hidden > 0 AS generated
      FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS info
      WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
  );
  return tablesOf(rows.map((row) => ({ ...row, kind: String(row.kind).replace(" generated always", "") })));
}

async function postgresSchema(storage: Storage): Promise<Map<string, Table>> {
  const kinds: Record<string, string> = { uuid: "id", text: "text", int8: "integer", int2: "flag" };
  const rows = await query(
    storage,
    `SELECT table_name AS "table", column_name AS "column", udt_name AS kind,
        (is_nullable = 'NO')::int AS required, (is_generated = 'ALWAYS')::int AS generated
      FROM information_schema.columns WHERE table_schema = current_schema()`,
  );
  return tablesOf(rows.map((row) => ({ ...row, kind: kinds[String(row.kind)] ?? row.kind })));
}

function tablesOf(rows: Record<string, unknown>[]): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const { table, column, kind, required, generated } of rows) {
    if (ENGINE_OWN_COLUMNS.has(String(column))) continue;
    const known = tables.get(String(table)) ?? { stored: {}, generated: {} };
    (generated ? known.generated : known.stored)[String(column)] = `${kind}${required ? "" : "?"}`;
    tables.set(String(table), known);
  }
  return tables;
}
