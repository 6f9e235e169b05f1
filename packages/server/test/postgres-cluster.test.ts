import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type PostgresOptions, startPostgres } from "@frontdesk/testing/postgres-cluster";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";

const CLUSTER_MODULE = fileURLToPath(new URL("../../testing/src/postgres-cluster.ts", import.meta.url));

describe("the PostgreSQL of the tests", () => {
  it("is one real cluster for the run, with UTF-8 and room for many connections", async () => {
    const rows = await query(
      inject("postgresUrl"),
      "select current_setting('max_connections') as connections, current_setting('fsync') as fsync, upper('é') as upper",
    );
    expect(rows).toEqual([{ connections: "300", fsync: "off", upper: "É" }]);
    expect(process.env.TEST_POSTGRES_URL).toBe(inject("postgresUrl"));
  });

  it("keeps what was committed when it is killed in the middle, and comes back at the same address", async () => {
    const cluster = await start({ fsync: true });
    await query(cluster.url, "create table note (id int)");
    await query(cluster.url, "insert into note values (7)");

    await cluster.kill();
    await expect(query(cluster.url, "select 1")).rejects.toThrow(/ECONNREFUSED/);

    await cluster.restart();
    expect(await query(cluster.url, "select id from note")).toEqual([{ id: 7 }]);
  });

  it("leaves no process and no file behind when it is stopped", async () => {
    const cluster = await start();
    expect(isRunning(cluster.pid)).toBe(true);
    await cluster.stop();
    expect(isRunning(cluster.pid)).toBe(false);
    expect(existsSync(cluster.dataDir)).toBe(false);
    await cluster.stop();
  });

  it("goes away with the process that started it, even one that is killed outright", async () => {
    const program = `const { startPostgres } = await import(process.argv[1]);
      const { url, dataDir } = await startPostgres();
      console.log(JSON.stringify({ url, dataDir }));
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", program, CLUSTER_MODULE], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(owner.stdout), "line");
    const { url, dataDir } = JSON.parse(line);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);

    owner.kill("SIGKILL");
    await until(() => !existsSync(dataDir));
    await expect(query(url, "select 1")).rejects.toThrow(/ECONNREFUSED/);
  });
});

async function start(options?: PostgresOptions) {
  const cluster = await startPostgres(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}
