import { once } from "node:events";
import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { StorageUnavailable } from "./database.ts";

/**
 * Up to this size the file is written anew, during which writes wait: 190 ms for 26 MB. SQLite leaves copies of rows in the
 * unused parts of pages that it splits, which `secure_delete` does not reach and only VACUUM removes.
 */
const VACUUM_MAX_BYTES = 64 * 1024 * 1024;
/** How long reads of other connections, such as a backup, are waited for. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 50;

/**
 * What `secure_delete` leaves: copies in unused parts of pages, and in the log of SQLite (`-wal`).
 *
 * @throws StorageUnavailable while another connection still reads the log
 */
export async function purgeSqlite({
  file,
  between,
  withoutWaiting,
}: {
  file: string;
  /** Runs work while no write is under way in this process. */
  between<T>(act: () => Promise<T>): Promise<T>;
  /** The rows of a statement on the writer's connection, which fails where it would have to wait. */
  withoutWaiting(sql: string): Record<string, unknown>[];
}): Promise<void> {
  if (statSync(file).size <= VACUUM_MAX_BYTES) await between(() => vacuumBeside(file));
  const end = performance.now() + PATIENCE_MS;
  while (!(await between(async () => isTruncated(withoutWaiting("PRAGMA wal_checkpoint(TRUNCATE)"))))) {
    if (performance.now() > end) {
      throw new StorageUnavailable("What was deleted stays in SQLite's log, because another process is reading it.");
    }
    await delay(RETRY_MS);
  }
}

const isTruncated = ([checkpoint]: Record<string, unknown>[]) => checkpoint?.busy === 0;

/** In a thread, since a statement of SQLite blocks its own. Reads go on meanwhile. */
async function vacuumBeside(file: string): Promise<void> {
  try {
    await once(new Worker(new URL("./sqlite-vacuum.ts", import.meta.url), { workerData: file }), "exit");
  } catch (error) {
    throw new StorageUnavailable(`SQLite cannot write its file anew: ${(error as Error).message}`, { cause: error });
  }
}
