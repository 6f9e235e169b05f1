import { resolve } from "node:path";
import { openVault } from "../access/vault.ts";
import { findVaultKey, type VaultKey } from "../access/vault-key-file.ts";
import { rowsToExpect, type WrittenBackup, writeBackup } from "../backup/write-backup.ts";
import type { Settings } from "../config.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { OperatorError } from "../operator-error.ts";
import { erasureLog, erasureLogFile, readErasureLog } from "../privacy/erasure-log.ts";
import { completeErasureLog } from "../privacy/recorded-erasures.ts";
import type { Storage } from "../storage/database.ts";
import { defineCommand } from "./command.ts";
import { dataMayBeThere, withDataAsItIs } from "./open-data.ts";
import { sizeInWords } from "./size-in-words.ts";

/** `frontdesk backup`: one snapshot of everything, in one file, also while a server runs. A repeat creates another file. */
export const backup = defineCommand({
  name: "backup",
  summary: "Writes everything to one file, even while the server is running.",
  options: {
    file: {
      value: "FILE",
      help: "The file to write. Default: frontdesk-DATE.backup in this folder.",
      positional: true,
    },
    "with-key": { help: "Includes the encryption key. Protect such a file like a password." },
    "without-files": {
      help: "Leaves out the files that visitors and agents have sent. Files in a bucket are never included.",
    },
    force: { help: "Overwrites an existing file." },
  },
  async run(values, { settings, print, progress }) {
    if (!dataMayBeThere(settings)) {
      throw new OperatorError(
        `There is no data in ${settings.dataDir}, so there is nothing to back up. Check DATA_DIR.`,
      );
    }
    const now = Date.now();
    const file = resolve(
      values.file ?? `frontdesk-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`,
    );
    const found = findVaultKey(settings);
    const key = values["with-key"] ? requiredKey(settings) : undefined;
    const files = settings.s3 || values["without-files"] ? undefined : openFileStorage(settings);
    const replace = values.force !== undefined;
    const bar = progress("Backing up");
    const written = await withDataAsItIs(settings, async (storage) => {
      const total = bar.wanted ? await rowsToExpect(storage) : 0;
      return storage.read((db) => writeBackup(db, { file, replace, key, files, now, total, progress: bar }));
    });
    const unrecorded =
      found && (await withDataAsItIs(settings, (storage) => completeRecord(storage, settings.dataDir, found, now)));
    const { bytes, rows, tables, vault, missing } = written;
    print({
      json: {
        file,
        bytes,
        rows,
        tables,
        files: written.files ?? null,
        files_missing: missing,
        ...(unrecorded && { unrecorded }),
      },
      text: [
        `Backed up to ${file}`,
        `${rows.toLocaleString("en")} rows of ${tables} tables, ${sizeInWords(bytes)}.`,
        ...filesAdvice(settings, written),
        ...(vault === null || key ? [] : [keyAdvice(settings)]),
        ...(unrecorded ? [unrecorded] : []),
        ...(key ? ["The encryption key is included. Anyone with this file can read every secret."] : []),
      ].join("\n"),
    });
  },
});

/**
 * The record of erasures on this machine then has those that other machines made. Returns why it has not: the backup is written
 * all the same.
 */
async function completeRecord(
  storage: Storage,
  dataDir: string,
  { key, previous }: VaultKey,
  now: number,
): Promise<string | undefined> {
  const vault = openVault(key, previous);
  try {
    const known = readErasureLog(erasureLogFile(dataDir), [vault]);
    await storage.read((db) => completeErasureLog(db, erasureLog(dataDir, vault), known, now));
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

function requiredKey(settings: Settings): Buffer {
  const found = findVaultKey(settings);
  if (found) return found.key;
  throw new OperatorError(`There is no key to include: SECRET_KEY is not set, and ${settings.dataDir} has no key.`);
}

function filesAdvice(settings: Settings, { files, missing }: WrittenBackup): string[] {
  if (files === undefined) return [`Files are not included. Back up ${openFileStorage(settings).name} separately.`];
  const lost = `${missing.toLocaleString("en")} files are not included because they are missing from ${openFileStorage(settings).name}.`;
  return [...(files > 0 ? [`${files.toLocaleString("en")} files are included.`] : []), ...(missing > 0 ? [lost] : [])];
}

function keyAdvice(settings: Settings): string {
  const place = settings.secretKey ? "SECRET_KEY" : `${settings.dataDir}/secret.key`;
  return `The encryption key is not included. Keep ${place} safe too, separate from the backup.`;
}
