import { query } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { migrations } from "./migrations/index.ts";
import { productSchema, unknownMigrations } from "./product-schema.ts";

const { storage } = await openTestStorage();
await storage.migrate();
const schema = productSchema(migrations.map(({ number }) => number));

/** Tables of the database that no backup holds, and why. */
const LEFT_OUT = [
  // The backup's first line has it.
  "schema_migrations",
  // SQLite's search index fills itself.
  "contact_search",
  "contact_search_config",
  "contact_search_data",
  "contact_search_docsize",
  "contact_search_idx",
];

test("every table of the database is in a backup, with every column, except those that are named here", async () => {
  const names =
    storage.engine === "sqlite"
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
  const present = (await query(storage, names)).map(({ name }) => String(name));
  expect(present.length).toBeGreaterThan(15);
  expect(schema.tables.map(({ name }) => name).toSorted()).toEqual(
    present.filter((name) => !LEFT_OUT.includes(name)).toSorted(),
  );

  for (const { name, columns, key } of schema.tables) {
    // Columns that the database computes from others are computed again.
    const there = await query(
      storage,
      storage.engine === "sqlite"
        ? `SELECT name FROM pragma_table_info('${name}') WHERE name <> 'row_key'`
        : `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${name}' AND is_generated = 'NEVER'`,
    );
    expect(columns.toSorted(), name).toEqual(there.map((column) => String(column.name)).toSorted());
    expect(key.length, name).toBeGreaterThan(0);
  }
});

test("a table comes after those that it refers to", () => {
  const order = schema.tables.map(({ name }) => name);
  const pairs = [
    ["teams", "agents"],
    ["widgets", "contacts"],
    ["contacts", "conversations"],
    ["conversations", "assignments"],
    ["messages", "attachments"],
  ] as const;
  for (const [first, second] of pairs) expect(order.indexOf(first)).toBeLessThan(order.indexOf(second));
});

test("a number without a migration is reported", () => {
  expect(unknownMigrations([1, 9_999])).toEqual([9_999]);
});
