import { unlockVault } from "../access/secret-key.ts";
import type { Settings } from "../config.ts";
import type { Runtime } from "../context.ts";
import { OperatorError } from "../operator-error.ts";
import { createPerform, type Perform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { wasMigrated } from "../setup/installation-store.ts";
import type { Migrated, Storage } from "../storage/database.ts";
import { SchemaTooNew, SchemaTooOld } from "../storage/migrate.ts";
import { openStorage } from "../storage/open-storage.ts";

/** The data of this installation, open. */
export interface Installation {
  storage: Storage;
  runtime: Runtime;
  perform: Perform;
}

/**
 * Opens the data for the length of `work`, next to a running server or without one. An empty database is migrated; one of an
 * older Frontdesk only by `migrate` and `serve`, since a server of that version may be running on it.
 *
 * @throws OperatorError when the data cannot be opened, or does not fit this program or its key
 */
export async function withStorage<T>(settings: Settings, work: (open: Installation) => Promise<T>): Promise<T> {
  return withRawStorage(settings, async (storage) => {
    await prepare(storage);
    const runtime = createRuntime(await unlockVault(settings, storage));
    // This process has no consumers of news and jobs: a running server looks by itself.
    const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
    return work({ storage, runtime, perform });
  });
}

/** Migrates the data, and creates it when there is none. */
export async function migrateStorage(settings: Settings): Promise<Migrated> {
  return withRawStorage(settings, (storage) => inOperatorsWords(() => storage.migrate()));
}

/** Opens the data unchanged for the length of `work`. */
export async function withRawStorage<T>(settings: Settings, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = open(settings);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

function open(settings: Settings): Storage {
  try {
    return openStorage(settings);
  } catch (error) {
    const where = settings.databaseUrl ? "DATABASE_URL" : `DATA_DIR (${settings.dataDir})`;
    throw new OperatorError(`Cannot open ${where}: ${(error as Error).message}`, { cause: error });
  }
}

async function prepare(storage: Storage): Promise<void> {
  const before = await storage.read((db) => db.first(wasMigrated, {}));
  await inOperatorsWords<unknown>(() => (before?.migrated ? storage.check() : storage.migrate()));
}

/** A schema that does not fit is the operator's to correct, and the storage's message says so. */
export async function inOperatorsWords<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SchemaTooNew || error instanceof SchemaTooOld) {
      throw new OperatorError(error.message, { cause: error });
    }
    throw error;
  }
}
