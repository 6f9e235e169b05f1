import { resolve } from "node:path";
import { restoreBackup } from "../backup/restore-backup.ts";
import { createDrafts } from "../files/drafts.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { defineCommand } from "./command.ts";
import { withDataAsItIs } from "./open-data.ts";

/** `frontdesk restore`: fills empty data from a backup of either engine, all of it or nothing. */
export const restore = defineCommand({
  name: "restore",
  summary: "Restores a backup into SQLite or PostgreSQL.",
  options: {
    file: { value: "FILE", help: "The backup file.", positional: true, required: true },
    force: { help: "Replaces all existing data. Stop the server first." },
  },
  async run(values, { settings, print, progress }) {
    const restored = await withDataAsItIs(settings, (storage) =>
      restoreBackup(storage, {
        file: resolve(values.file),
        replace: values.force !== undefined,
        secretKey: settings.secretKey,
        dataDir: settings.dataDir,
        fileStorage: openFileStorage(settings),
        drafts: createDrafts(settings.dataDir),
        progress: progress("Restoring"),
      }),
    );
    const { rows, tables, created_at, migrated, key_restored, files, files_elsewhere } = restored;
    print({
      json: restored,
      text: [
        `Restored the data as of ${created_at.slice(0, 16).replace("T", " at ")} UTC.`,
        `${rows.toLocaleString("en")} rows of ${tables} tables.`,
        ...(migrated.length > 0 ? [`Migrated to this version (step ${migrated.join(", ")}).`] : []),
        ...(files > 0 ? [`${files.toLocaleString("en")} files restored to ${openFileStorage(settings).name}.`] : []),
        ...(files_elsewhere > 0
          ? [
              `${files_elsewhere.toLocaleString("en")} files were not in the backup. Copy them to ${openFileStorage(settings).name}.`,
            ]
          : []),
        ...(key_restored ? [`The encryption key was restored from the backup to ${settings.dataDir}.`] : []),
      ].join("\n"),
    });
  },
});
