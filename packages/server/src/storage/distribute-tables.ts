import { migrations } from "./migrations/index.ts";
import { productSchema } from "./product-schema.ts";
import { tableKind } from "./table-kinds.ts";
import type { Tables } from "./tables.ts";

/** The table that all others are colocated with: the rows of one team are on one node. */
const TEAMS = "teams" satisfies keyof Tables;
/** A backup has no rows of it, so `productSchema` leaves it out. */
const MIGRATIONS = "schema_migrations" satisfies keyof Tables;

/** What Citus has distributed by a column ('h'), or copied to every node ('n' with 't'). */
const DISTRIBUTED = `SELECT logicalrel::text AS name FROM pg_dist_partition
  WHERE partmethod = 'h' OR (partmethod = 'n' AND repmodel = 't')`;

/**
 * On a database with the extension `citus`, distributes the tables over its nodes: those of the teams by `team_id`, directories
 * and the installation's own as copies on every node (docs/decisions/0041-ready-for-a-cluster.md). A table that is distributed
 * already is left unchanged, so that a repeat does nothing and the tables of a later migration follow. Without the extension
 * nothing happens.
 *
 * @param raw runs one SQL text in the transaction of the migration
 * @returns the tables that it distributed, in that order
 */
export async function distributeTables(raw: (text: string) => Promise<Record<string, unknown>[]>): Promise<string[]> {
  const [citus] = await raw("SELECT 1 AS present FROM pg_extension WHERE extname = 'citus'");
  if (!citus) return [];
  const distributed = new Set((await raw(DISTRIBUTED)).map(({ name }) => name));
  const missing = tablesInOrder().filter((table) => !distributed.has(table));
  if (missing.length === 0) return [];
  // With foreign keys to one another, they can be created in one transaction only over one connection to each node.
  await raw("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'");
  for (const table of missing) await raw(distribution(table));
  return missing;
}

/**
 * A table comes after those that its foreign keys refer to, and the teams' tables after `teams`, which they are colocated with.
 */
function tablesInOrder(): string[] {
  const { tables } = productSchema(migrations.map(({ number }) => number));
  const names = [MIGRATIONS, ...tables.map(({ name }) => name)];
  const ofTeams = names.filter((name) => name !== TEAMS && tableKind(name) === "team");
  return [...names.filter((name) => tableKind(name) !== "team"), TEAMS, ...ofTeams];
}

function distribution(table: string): string {
  if (tableKind(table) !== "team") return `SELECT create_reference_table('${table}')`;
  const beside = table === TEAMS ? "none" : TEAMS;
  return `SELECT create_distributed_table('${table}', 'team_id', colocate_with => '${beside}')`;
}
