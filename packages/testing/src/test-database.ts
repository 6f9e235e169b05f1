import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import pg from "pg";

/** A migrated database without rows: copying it costs a fifth of migrating an empty one. */
const TEMPLATE = "frontdesk_migrated";

/** Creates `TEMPLATE` in a cluster, for `createDatabase(…, { migrated: true })`. */
export async function createTemplate(maintenanceUrl: string): Promise<void> {
  await query(maintenanceUrl, `CREATE DATABASE ${TEMPLATE}`);
  const storage = openStorage({ databaseUrl: addressOf(maintenanceUrl, TEMPLATE), dataDir: "" });
  await storage.migrate();
  await storage.close();
}

/**
 * Creates a database beside the maintenance database; resolves to its address.
 *
 * @param options.migrated with all tables and no rows, in a cluster where `createTemplate` was called; else it is empty
 */
export async function createDatabase(maintenanceUrl: string, { migrated = false } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await query(maintenanceUrl, `CREATE DATABASE ${name}${migrated ? ` TEMPLATE ${TEMPLATE}` : ""}`);
  return addressOf(maintenanceUrl, name);
}

/** Drops a database and cuts its connections. */
export async function dropDatabase(maintenanceUrl: string, databaseUrl: string): Promise<void> {
  await query(maintenanceUrl, `DROP DATABASE IF EXISTS ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
}

let migratedFile: Promise<Buffer> | undefined;

/** The bytes of a migrated SQLite database without rows. Made once per process. */
export function migratedSqlite(): Promise<Buffer> {
  migratedFile ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-test-template-"));
    try {
      const storage = openStorage({ databaseUrl: undefined, dataDir });
      await storage.migrate();
      await storage.close();
      return readFileSync(join(dataDir, "frontdesk.db"));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  })();
  return migratedFile;
}

function addressOf(maintenanceUrl: string, name: string): string {
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
