import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

const SQLITE_BUSY = 5;
/** How often is looked whether a server that begins at the same moment has begun. */
const LOOK_MS = 20;

/** The servers of an SQLite file, whose processes know nothing else of one another. */
export interface SqliteServers {
  join(alone: () => Promise<unknown>): Promise<void>;
  close(): void;
}

/**
 * Tells whether a server is the only one on a database file (`Storage.joinServers`). Each holds a shared lock on a file
 * beside it, an SQLite database without a table, because Node has no locks of its own: the system takes a lock back with
 * the process, however that ends. So whoever gets the exclusive lock at its start knows that all others are dead.
 *
 * @param file path of that file
 */
export function sqliteServers(file: string): SqliteServers {
  // Also so that nothing is taken for garbage: the lock would go with it.
  const held: DatabaseSync[] = [];
  let closed = false;
  return {
    async join(alone) {
      closeSync(openSync(file, "a", 0o600));
      const lock = new DatabaseSync(file, { timeout: 0 });
      held.push(lock);
      try {
        // Nobody can begin to serve meanwhile, so that what is there was left by the dead.
        if (tries(lock, "BEGIN EXCLUSIVE")) await alone();
      } finally {
        if (!closed && lock.isTransaction) lock.exec("COMMIT");
        while (!closed && !tries(lock, "BEGIN; SELECT * FROM sqlite_schema")) await setTimeout(LOOK_MS);
      }
    },
    close() {
      closed = true;
      for (const lock of held.splice(0)) lock.close();
    },
  };
}

/** Whether a lock was to be had. */
function tries(lock: DatabaseSync, statements: string): boolean {
  try {
    lock.exec(statements);
    return true;
  } catch (error) {
    if (lock.isTransaction) lock.exec("ROLLBACK");
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
