/**
 * On a database with the extension `citus`, `migrate` distributes the tables. Only PostgreSQL is available here: functions with
 * Citus's names record their calls, and its catalogue is a plain table. The effect in Citus was tried on a real one
 * (docs/decisions/0041-ready-for-a-cluster.md).
 */

import { query, sqlText } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";
import type { Storage } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";
import { tableKind } from "./table-kinds.ts";

/** As in `pg_dist_partition`: distributed by a column, a copy on every node, or known to Citus and still local. */
const STANDS_IN_FOR_CITUS = [
  `CREATE TABLE pg_dist_partition (logicalrel regclass PRIMARY KEY, partmethod "char", repmodel "char")`,
  "CREATE TABLE calls (number serial, function text, name text, spread_by text, beside text, mode text)",
  `CREATE FUNCTION create_distributed_table(name text, spread_by text, colocate_with text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calls (function, name, spread_by, beside, mode)
      VALUES ('distributed', name, spread_by, colocate_with, current_setting('citus.multi_shard_modify_mode'));
    INSERT INTO pg_dist_partition VALUES (name::regclass, 'h', 's')
      ON CONFLICT (logicalrel) DO UPDATE SET partmethod = 'h' $$`,
  `CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO calls (function, name, mode) VALUES ('copied', name, current_setting('citus.multi_shard_modify_mode'));
    INSERT INTO pg_dist_partition VALUES (name::regclass, 'n', 't')
      ON CONFLICT (logicalrel) DO UPDATE SET repmodel = 't' $$`,
  "SET LOCAL allow_system_table_mods = on",
  `INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    VALUES (99999, 'citus', 10, 'public'::regnamespace, false, '1')`,
];

interface Call {
  name: string;
  function: string;
  spread_by: string | null;
  beside: string | null;
  mode: string;
}

const callsOf = async (storage: Storage) =>
  (await query(
    storage,
    "SELECT name, function, spread_by, beside, mode FROM calls ORDER BY number",
  )) as unknown as Call[];

/** In one transaction, for the setting that lets the catalogue be written. */
const standInForCitus = (storage: Storage) =>
  storage.write(null, async (db) => {
    for (const text of STANDS_IN_FOR_CITUS) await db.run(sqlText(text), {});
  });

async function clusterStorage(): Promise<Storage> {
  const { storage } = await openTestStorage();
  await standInForCitus(storage);
  return storage;
}

test("every table is distributed once, after those that it refers to; the teams' by team_id and beside one another", async () => {
  const storage = await clusterStorage();
  const { distributed } = await storage.migrate();
  expect(distributed.toSorted()).toEqual(Object.keys(columnsOf).toSorted());

  const calls = await callsOf(storage);
  expect(calls.map(({ name }) => name)).toEqual(distributed);
  for (const { name, ...call } of calls) {
    const expected =
      tableKind(name) === "team"
        ? { function: "distributed", spread_by: "team_id", beside: name === "teams" ? "none" : "teams" }
        : { function: "copied", spread_by: null, beside: null };
    expect({ name, ...call }).toEqual({ name, ...expected, mode: "sequential" });
  }

  const references = await query(
    storage,
    "SELECT conrelid::regclass::text AS own, confrelid::regclass::text AS other FROM pg_constraint WHERE contype = 'f'",
  );
  expect(references.length).toBeGreaterThan(20);
  for (const { own, other } of references.filter((one) => one.own !== one.other)) {
    expect(distributed.indexOf(`${other}`), `${own} refers to ${other}`).toBeLessThan(distributed.indexOf(`${own}`));
  }
});

test("a second time nothing is distributed, and the tables of a later program follow", async () => {
  const storage = await clusterStorage();
  const later = (migrations as Migration[]).splice(migrations.findIndex(({ name }) => name === "inbox"));
  try {
    await storage.migrate();
    const before = await callsOf(storage);
    expect(before.length).toBeGreaterThan(30);
    expect(await storage.migrate()).toEqual({ applied: [], distributed: [] });
    expect(await callsOf(storage)).toEqual(before);
  } finally {
    (migrations as Migration[]).push(...later);
  }
  const { applied, distributed } = await storage.migrate();
  expect(applied).toEqual(later.map(({ number }) => number));
  expect(distributed).toEqual(expect.arrayContaining(["mentions", "drafts", "widget_directory"]));
  // Later migrations have dropped tables that were distributed.
  const called = (await callsOf(storage)).map(({ name }) => name).filter((name) => name in columnsOf);
  expect(called.toSorted()).toEqual(Object.keys(columnsOf).toSorted());
});

test("a table that the cluster knows, but has left on one node, is distributed as well", async () => {
  const { storage } = await openTestStorage({ migrated: true });
  await standInForCitus(storage);
  await query(storage, "INSERT INTO pg_dist_partition VALUES ('tags', 'n', 's'), ('agents', 'h', 's')");
  const { applied, distributed } = await storage.migrate();
  expect(applied).toEqual([]);
  expect(distributed).toContain("tags");
  expect(distributed).not.toContain("agents");
});

test("what cannot be distributed leaves nothing migrated", async () => {
  const { storage } = await openTestStorage();
  await standInForCitus(storage);
  await query(storage, "DROP FUNCTION create_reference_table(text)");
  await expect(storage.migrate()).rejects.toThrow("create_reference_table");
  expect(await query(storage, "SELECT to_regclass('schema_migrations') AS found")).toEqual([{ found: null }]);
});
