import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config.ts";
import type { Storage } from "../storage/database.ts";
import { inOperatorsWords, withRawStorage } from "./with-storage.ts";

/**
 * Opens the data unchanged for the length of `work`: it is not migrated, and no key is needed. For `backup` and `restore`; the
 * other commands use `with-storage.ts`.
 *
 * @throws OperatorError when the data cannot be opened
 */
export async function withDataAsItIs<T>(settings: Settings, work: (storage: Storage) => Promise<T>): Promise<T> {
  return withRawStorage(settings, (storage) => inOperatorsWords(() => work(storage)));
}

/** Whether there may be data: opening SQLite would create the file. */
export function dataMayBeThere(settings: Pick<Settings, "databaseUrl" | "dataDir">): boolean {
  return settings.databaseUrl !== undefined || existsSync(join(settings.dataDir, "frontdesk.db"));
}
