import { OperatorError } from "../operator-error.ts";
import { deleteInstallationValue, installationValue, setInstallationValue } from "../setup/installation-store.ts";
import type { Storage } from "../storage/database.ts";

/** Set in the commit of a restore while rows of it that were erased before are back. */
const ERASING_AGAIN = "restore_erases_again";

/** The statement with its parameters, for the commit of the restore. */
export const beginErasingAgain = [setInstallationValue, { name: ERASING_AGAIN, value: "1" }] as const;

export async function endErasingAgain(storage: Storage): Promise<void> {
  await storage.write(null, (db) => db.run(deleteInstallationValue, { name: ERASING_AGAIN }));
}

/** @throws OperatorError when a restore was interrupted, and what was erased would be seen again */
export async function refuseUnfinishedRestore(storage: Storage): Promise<void> {
  if (!(await storage.first(installationValue, { name: ERASING_AGAIN }))) return;
  throw new OperatorError(
    "The last restore was interrupted before it erased again what was erased after the backup. Restore again with --force.",
  );
}
