import { resolve } from "node:path";
import { findVaultKey } from "../access/vault-key-file.ts";
import { rowsToExpect, type WrittenBackup, writeBackup } from "../backup/write-backup.ts";
import type { Settings } from "../config.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { OperatorError } from "../operator-error.ts";
import { defineCommand } from "./command.ts";
import { dataMayBeThere, withDataAsItIs } from "./open-data.ts";
import { sizeInWords } from "./size-in-words.ts";

/** `frontdesk backup`: one snapshot of everything, in one file, also while a server runs. A repeat creates another file. */
export const backup = defineCommand({
  name: "backup",
  summary: "Writes everything into one file, also while the server runs.",
  options: {
    file: { value: "FILE", help: "Where to (frontdesk-DATE.backup in this folder).", positional: true },
    "with-key": { help: "Puts the key that seals secrets into it as well: keep such a file as safe as a password." },
    "without-files": {
      help: "Leaves out what visitors and agents have sent as files. Files in a bucket are left out anyway.",
    },
    force: { help: "Writes over a file that is there." },
  },
  async run(values, { settings, print, progress }) {
    if (!dataMayBeThere(settings)) {
      throw new OperatorError(
        `There is no data in ${settings.dataDir}, so there is nothing to back up. Is DATA_DIR right?`,
      );
    }
    const now = Date.now();
    const file = resolve(
      values.file ?? `frontdesk-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`,
    );
    const key = values["with-key"] ? requiredKey(settings) : undefined;
    const files = settings.s3 || values["without-files"] ? undefined : openFileStorage(settings);
    const replace = values.force !== undefined;
    const bar = progress("Backing up");
    const written = await withDataAsItIs(settings, async (storage) => {
      const total = bar.wanted ? await rowsToExpect(storage) : 0;
      return storage.read((db) => writeBackup(db, { file, replace, key, files, now, total, progress: bar }));
    });
    const { bytes, rows, tables, vault, missing } = written;
    print({
      json: { file, bytes, rows, tables, files: written.files ?? null, files_missing: missing },
      text: [
        `Everything is in ${file}`,
        `${rows.toLocaleString("en")} rows of ${tables} tables, ${sizeInWords(bytes)}.`,
        ...filesAdvice(settings, written),
        ...(vault === null || key ? [] : [keyAdvice(settings)]),
        ...(key ? ["The key is in it: whoever has this file can read every secret."] : []),
      ].join("\n"),
    });
  },
});

function requiredKey(settings: Settings): Buffer {
  const found = findVaultKey(settings);
  if (found) return found.key;
  throw new OperatorError(
    `There is no key to put into the backup: no SECRET_KEY is set, and none is in ${settings.dataDir}.`,
  );
}

function filesAdvice(settings: Settings, { files, missing }: WrittenBackup): string[] {
  if (files === undefined) return [`Files are not in it: keep ${openFileStorage(settings).name} as well.`];
  const lost = `${missing.toLocaleString("en")} files are not in it: they are not in ${openFileStorage(settings).name}.`;
  return [...(files > 0 ? [`${files.toLocaleString("en")} files are in it.`] : []), ...(missing > 0 ? [lost] : [])];
}

function keyAdvice(settings: Settings): string {
  const place = settings.secretKey ? "SECRET_KEY" : `${settings.dataDir}/secret.key`;
  return `The key that opens its secrets is not in it. Keep ${place} safe too, apart from the backup.`;
}
