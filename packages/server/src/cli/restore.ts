import { resolve } from "node:path";
import type { ErasedAgain } from "../backup/erase-again.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { createDrafts } from "../files/drafts.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { erasureLogFile } from "../privacy/erasure-log.ts";
import { defineCommand } from "./command.ts";
import { withDataAsItIs } from "./open-data.ts";

/** `frontdesk restore`: fills empty data from a backup of either engine, all of it or nothing. */
export const restore = defineCommand({
  name: "restore",
  summary: "Restores a backup into SQLite or PostgreSQL.",
  options: {
    file: { value: "FILE", help: "The backup file.", positional: true, required: true },
    erasures: {
      value: "FILE",
      help: "A record of erasures (erasures.log), besides the one in DATA_DIR. Default: only that.",
    },
    force: { help: "Replaces all existing data. Stop the server first." },
  },
  async run(values, { settings, print, progress }) {
    const restored = await withDataAsItIs(settings, (storage) =>
      restoreBackup(storage, {
        file: resolve(values.file),
        replace: values.force !== undefined,
        secretKey: settings.secretKey,
        previousSecretKey: settings.previousSecretKey,
        dataDir: settings.dataDir,
        erasures: values.erasures && resolve(values.erasures),
        fileStorage: openFileStorage(settings),
        drafts: createDrafts(settings.dataDir),
        progress: progress("Restoring"),
      }),
    );
    const { rows, tables, created_at, migrated, key_restored, files, files_elsewhere, erased_again } = restored;
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
        ...inWords(erased_again, settings.dataDir),
      ].join("\n"),
    });
  },
});

function inWords(erased: ErasedAgain | null, dataDir: string): string[] {
  if (!erased) {
    return [
      `There is no ${erasureLogFile(dataDir)}. If anything was erased after this backup, it is back: erase it again.`,
    ];
  }
  const { widgets, contacts, conversations, messages, agents } = erased;
  const counted = (count: number, one: string, many = `${one}s`) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  const all = [
    ...counted(widgets, "widget with its contacts", "widgets with their contacts"),
    ...counted(contacts, "contact"),
    ...counted(conversations, "conversation"),
    ...counted(messages, "redacted message"),
    ...counted(agents, "former colleague"),
  ];
  if (all.length === 0) return [];
  return [`Erased again, because it was erased after this backup: ${all.join(", ")}.`];
}
