import { installationValue, keepInstallationValue } from "../setup/installation-store.ts";
import type { Storage } from "../storage/database.ts";

/** In the table `installation`. */
export const LOG_EPOCH = "log_epoch";

/**
 * The name of the event log that this installation's numbers belong to: created at first use, and again when a backup is
 * restored, so that no client resumes from a number of the previous data (docs/decisions/0020-live-stream.md).
 */
export function logEpoch(storage: Storage, newId: () => string): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= (await storage.first(installationValue, { name: LOG_EPOCH }))?.value ?? (await made());
    return known;
  };

  function made(): Promise<string> {
    return storage.write(null, async (db) => {
      await db.run(keepInstallationValue, { name: LOG_EPOCH, value: newId() });
      return String((await db.first(installationValue, { name: LOG_EPOCH }))?.value);
    });
  }
}
