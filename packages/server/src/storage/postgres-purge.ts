import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { columnsOf } from "./columns.ts";

/** How long transactions are waited for that may still see what was deleted; autovacuum comes back for the rest. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 100;

/** What was deleted by now was deleted by a transaction before this one. */
const NOW = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS began";
/**
 * Whether VACUUM would keep what was deleted before `$1`. An older transaction of any database counts: as long as it is open, each new
 * statement here sees what it sees. So do statements of this database that began while it was open.
 */
const IS_KEPT = `
  SELECT pg_snapshot_xmin(pg_current_snapshot()) < $1::xid8 OR EXISTS (
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND greatest(age(backend_xmin), age(backend_xid)) > age($1::xid8::xid)) AS is_kept`;
/** VACUUM passes over pages that are being read. */
const PASSES = 2;

/**
 * Vacuums every table, and its indexes however few rows were deleted, at the pace of autovacuum. That skips the pages that have
 * no such rows. VACUUM blocks neither reads nor writes; it is not to shorten files, which would.
 *
 * @param client outside of any transaction, and without timeouts
 */
export async function purgePostgres(client: pg.Client): Promise<void> {
  const { rows } = await client.query(NOW);
  const end = performance.now() + PATIENCE_MS;
  while ((await client.query(IS_KEPT, [rows[0].began])).rows[0].is_kept && performance.now() < end) {
    await delay(RETRY_MS);
  }
  await client.query("SET vacuum_cost_delay = '2ms'");
  for (let pass = 1; pass <= PASSES; pass += 1) {
    for (const table of Object.keys(columnsOf)) {
      await client.query(`VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) "${table}"`);
    }
  }
}
