import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

const SQLITE_BUSY = 5;
/** How often to check whether a server that starts at the same moment has started. */
const LOOK_MS = 20;

/** The servers of an SQLite file, whose processes know nothing else of one another. */
export interface SqliteServers {
  join(alone: () => Promise<unknown>): Promise<void>;
  close(): void;
}

/**
 * Shows whether a server is the only one on a database file (`Storage.joinServers`). Each holds a shared lock on a file next to
 * it, an SQLite database without a table, because Node has no locks of its own: the system releases a lock with the process,
 * however that ends. So a server that gets the exclusive lock at its start knows that all others are dead.
 *
 * @param file path of that file
 */
export function sqliteServers(file: string): SqliteServers {
  // Also keeps it from being garbage collected: the lock would be released with it.
  const held: DatabaseSync[] = [];
  let closed = false;
  return {
    async join(alone) {
      closeSync(openSync(file, "a", 0o600));
      const lock = new DatabaseSync(file, { timeout: 0 });
      held.push(lock);
      try {
        // No server can start meanwhile, so everything found was left by dead ones.
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

/** Whether the lock was acquired. */
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
