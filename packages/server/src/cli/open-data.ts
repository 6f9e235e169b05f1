import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import type { Storage } from "../storage/database.ts";
import { SchemaTooNew } from "../storage/migrate.ts";
import { openStorage } from "../storage/open-storage.ts";

/**
 * Opens the data as it is for the length of `work`: it is not migrated, and no key is asked for. For `backup` and
 * `restore`; the other commands want `with-storage.ts`.
 *
 * @throws OperatorError when the data cannot be opened
 */
export async function withDataAsItIs<T>(settings: Settings, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = open(settings);
  try {
    return await work(storage);
  } catch (error) {
    throw error instanceof SchemaTooNew ? new OperatorError(error.message, { cause: error }) : error;
  } finally {
    await storage.close();
  }
}

/** Whether there may be data: to look for it, SQLite would make the file first. */
export function dataMayBeThere(settings: Pick<Settings, "databaseUrl" | "dataDir">): boolean {
  return settings.databaseUrl !== undefined || existsSync(join(settings.dataDir, "frontdesk.db"));
}

function open(settings: Settings): Storage {
  try {
    return openStorage(settings);
  } catch (error) {
    const where = settings.databaseUrl ? "DATABASE_URL" : `DATA_DIR (${settings.dataDir})`;
    throw new OperatorError(`${where} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
