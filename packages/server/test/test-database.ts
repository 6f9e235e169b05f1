import { randomUUID } from "node:crypto";
import pg from "pg";

/** Makes an empty database beside the maintenance database; answers its address. */
export async function createDatabase(maintenanceUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await query(maintenanceUrl, `CREATE DATABASE ${name}`);
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Removes a database, whoever is still connected to it. */
export async function dropDatabase(maintenanceUrl: string, databaseUrl: string): Promise<void> {
  await query(maintenanceUrl, `DROP DATABASE IF EXISTS ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
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
