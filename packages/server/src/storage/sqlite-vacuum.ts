/** The thread of `sqlite-purge.ts`: writes an SQLite file anew, without what its pages hold besides rows. */
import { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";

/** A command beside the server may be writing. */
const BUSY_TIMEOUT_MS = 5_000;

const sqlite = new DatabaseSync(workerData as string, { timeout: BUSY_TIMEOUT_MS });
try {
  sqlite.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; VACUUM");
} finally {
  sqlite.close();
}
