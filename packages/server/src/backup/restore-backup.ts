import { rmSync } from "node:fs";
import { openVault } from "../access/vault.ts";
import { findVaultKey, keepKey, keyFile } from "../access/vault-key-file.ts";
import { deleteEveryAppGrant, deleteEveryAppToken } from "../authorization/app-grant-store.ts";
import { deleteReaders } from "../email/imap/mail-folder-store.ts";
import { LOG_EPOCH } from "../events/log-epoch.ts";
import { deleteEveryBrowser } from "../factors/browser-store.ts";
import { deleteEverySecondStep } from "../factors/factor-store.ts";
import type { Drafts } from "../files/drafts.ts";
import type { FileKey, FileStorage } from "../files/file-storage.ts";
import { endEveryJobLease } from "../jobs/job-store.ts";
import { OperatorError } from "../operator-error.ts";
import type { Erased } from "../privacy/erasure-log.ts";
import type { Progress } from "../progress.ts";
import { deleteEveryPasswordReset, deleteEverySession } from "../sessions/session-store.ts";
import { anyTeam, deleteInstallationValue } from "../setup/installation-store.ts";
import { lockSetup } from "../setup/setup-token.ts";
import type { Database, Storage } from "../storage/database.ts";
import { type ProductTable, unknownMigrations } from "../storage/product-schema.ts";
import { appliedMigrations, bringUpToDate, lockSchema, type Row, rowWriter, startOver } from "../storage/table-rows.ts";
import type { BackupHeader, BackupTrailer } from "./backup-format.ts";
import { bringFiles } from "./bring-files.ts";
import { type ErasedAgain, eraseAgain, erasedRow, recordOfErasures } from "./erase-again.ts";
import { keepErasedMailsOut } from "./keep-erased-mails-out.ts";
import { readBackup } from "./read-backup.ts";
import { type RecordedFile, recordedFiles } from "./recorded-files.ts";
import { beginErasingAgain, endErasingAgain } from "./unfinished-restore.ts";

export interface RestoreOptions {
  file: string;
  /** Replaces existing data. */
  replace: boolean;
  secretKey: Buffer | undefined;
  previousSecretKey?: Buffer | undefined;
  dataDir: string;
  /** A record of erasures besides the one in `dataDir`. */
  erasures?: string | undefined;
  /** Where the content of files is stored, and its staging folder. */
  fileStorage: FileStorage;
  drafts: Drafts;
  progress: Progress;
}

export interface RestoredBackup {
  file: string;
  rows: number;
  tables: number;
  /** The moment of the backup, ISO 8601. */
  created_at: string;
  /** The migrations that brought it up to date with this program. */
  migrated: number[];
  /** Whether the key was taken from the backup. */
  key_restored: boolean;
  /** How many files were restored from the backup. */
  files: number;
  /** How many files it has rows of without their content. */
  files_elsewhere: number;
  /** What was erased after the backup, and was erased again; null when there is no record of erasures. */
  erased_again: ErasedAgain | null;
}

/**
 * Fills the data from a backup of either engine, and brings it up to date. The backup is read to its end and checked
 * before anything is changed; then all its rows come in one commit, or none of them.
 *
 * ```
 * read and checked --> key fits --> files --> [ emptied --> schema of the backup --> rows ] one commit --> later migrations
 *   --> erased mails are known, and what was erased after it is erased again; until then no server starts on the data
 * ```
 * @throws OperatorError when there is a team already and `replace` is not set, when the file is not complete, when the data
 * or the file is a newer Frontdesk's, or when the key does not fit
 * @throws StorageUnavailable when the files cannot be stored
 */
export async function restoreBackup(storage: Storage, options: RestoreOptions): Promise<RestoredBackup> {
  const { file, replace, dataDir, fileStorage, progress } = options;
  await storage.read((db) => mayReplace(db, replace));
  const { header, trailer } = await checked(file);
  const newKey = keyToBring(header, options);
  const erasures = await recordOfErasures(storage, options, newKey);
  const toErase: Erased[] = [];
  const erasedMails = erasures?.mails ?? [];

  if (newKey && !keepKey(dataDir, newKey)) {
    throw new OperatorError(`${keyFile(dataDir)} was created by another process in the meantime. Try again.`);
  }
  const before = await filesIn(storage);
  const brought: FileKey[] = [];
  try {
    // Their names are unique: they are not requested before the rows exist.
    if (trailer.files) await bringFiles(file, options, (key) => brought.push(key));
    await storage.write(null, async (db) => {
      await lockSchema(db);
      await bringUpToDate(db);
      // From here on the set-up cannot create a team.
      await lockSetup(db);
      await mayReplace(db, replace);
      await startOver(db, header.schema);
      await fill(db, file, trailer, progress, (table, row) => toErase.push(...erasedRow(erasures, table, row)));
      // A session of that time may have been ended since, and so may links: all agents sign in again.
      if ("sessions" in trailer.tables) await db.run(deleteEverySession, {});
      if ("password_resets" in trailer.tables) await db.run(deleteEveryPasswordReset, {});
      if ("second_steps" in trailer.tables) await db.run(deleteEverySecondStep, {});
      if ("known_browsers" in trailer.tables) await db.run(deleteEveryBrowser, {});
      // Refresh tokens of that time have been replaced since: apps connect again.
      if ("app_tokens" in trailer.tables) await db.run(deleteEveryAppToken, {});
      if ("app_grants" in trailer.tables) await db.run(deleteEveryAppGrant, {});
      // What was written after the backup is gone, and its numbers are used again: the log gets another epoch at its next use,
      // so that no stream resumes from a number that no longer exists.
      if ("installation" in trailer.tables) await db.run(deleteInstallationValue, { name: LOG_EPOCH });
      if (toErase.length > 0 || erasedMails.length > 0) await db.run(...beginErasingAgain);
    });
  } catch (error) {
    if (newKey) rmSync(keyFile(dataDir), { force: true });
    await removeFiles(
      fileStorage,
      brought.filter((key) => !before.has(nameOf(key))),
    );
    throw error;
  }
  // Only `migrate` may take any time; what it does not finish, `frontdesk migrate` does.
  const { applied: migrated } = await storage.migrate();
  // What processes had claimed in that moment would be blocked until their leases are over.
  await storage.write(null, async (db) => {
    await db.run(endEveryJobLease, {});
    await db.run(deleteReaders, {});
  });
  const tables = Object.keys(trailer.tables).length;
  const now = await filesIn(storage);
  await removeFiles(
    fileStorage,
    [...before].flatMap(([name, key]) => (now.has(name) ? [] : [key])),
  );
  await keepErasedMailsOut(storage, erasedMails);
  const erasedAgain = await eraseAgain(storage, options, toErase);
  if (toErase.length > 0 || erasedMails.length > 0) await endErasingAgain(storage);
  return {
    file,
    rows: trailer.rows,
    tables,
    created_at: header.created_at,
    migrated,
    key_restored: !!newKey,
    files: brought.length,
    files_elsewhere: [...now.values()].filter(({ isUsed }) => isUsed).length - brought.length,
    erased_again: erasures ? erasedAgain : null,
  };
}

const nameOf = ({ teamId, id }: FileKey) => `${teamId}/${id}`;

/** All files recorded at this moment. */
function filesIn(storage: Storage): Promise<Map<string, RecordedFile>> {
  return storage.read(async (db) => {
    const files = new Map<string, RecordedFile>();
    for await (const file of recordedFiles(db)) files.set(nameOf(file), file);
    return files;
  });
}

/** What cannot be removed stays, under a name that nothing refers to. */
async function removeFiles(fileStorage: FileStorage, keys: readonly FileKey[]): Promise<void> {
  for (const key of keys) await fileStorage.remove(key).catch(() => {});
}

async function mayReplace(db: Database, replace: boolean): Promise<void> {
  const present = await appliedMigrations(db);
  const unknown = unknownMigrations(present.map(({ number }) => number));
  if (unknown.length > 0) {
    throw new OperatorError(
      `The existing data is from a newer Frontdesk (step ${unknown.join(", ")}). Restore with that version, or into an empty DATA_DIR or database.`,
    );
  }
  if (replace || present.length === 0 || !(await db.first(anyTeam, {}))) return;
  throw new OperatorError(
    "A team already exists, and a restore replaces everything. Restore into an empty DATA_DIR or database. Or stop the server, back up the existing data, and restore with --force.",
  );
}

async function checked(file: string): Promise<{ header: BackupHeader; trailer: BackupTrailer }> {
  let header: BackupHeader | undefined;
  for await (const item of readBackup(file)) {
    if (item.kind === "header") header = item.header;
    if (item.kind === "end" && header) return { header, trailer: item.trailer };
  }
  throw new Error("A backup was read without its header or its end.");
}

/**
 * The key to store in DATA_DIR; undefined when the right one is there, or nothing was ever sealed.
 *
 * @throws OperatorError when the secrets of the backup could not be read afterwards
 */
function keyToBring({ vault, key }: BackupHeader, options: RestoreOptions): Buffer | undefined {
  if (vault === null) return undefined;
  const own = key === undefined ? undefined : Buffer.from(key, "base64");
  if (own && (own.length !== 32 || openVault(own).fingerprint !== vault)) {
    throw new OperatorError(`${options.file} is damaged: the key in it does not match its data. No data was changed.`);
  }
  const present = findVaultKey(options);
  const keys = present ? [present.key, ...(present.previous ? [present.previous] : [])] : [];
  if (keys.some((one) => openVault(one).fingerprint === vault)) return undefined;
  if (present) {
    const away = present.source === "SECRET_KEY" ? "unset SECRET_KEY" : `move ${present.source} elsewhere`;
    const bring = own
      ? `To use the key in the backup, ${away} and restore again.`
      : `Put the right key in its place and restore again.`;
    throw new OperatorError(
      `The secrets in the backup were encrypted with a different key than ${present.source}. ${bring} No data was changed.`,
    );
  }
  if (own) return own;
  throw new OperatorError(
    `The key that encrypted the secrets is not in the backup. Copy secret.key from the old DATA_DIR to ${keyFile(options.dataDir)}, or set SECRET_KEY to its contents, and restore again. No data was changed.`,
  );
}

async function fill(
  db: Database,
  file: string,
  checked: BackupTrailer,
  progress: Progress,
  onRow: (table: ProductTable, row: Row) => void,
): Promise<void> {
  let writer: ReturnType<typeof rowWriter> | undefined;
  let table: ProductTable | undefined;
  let rows = 0;
  progress.begin(checked.rows);
  for await (const item of readBackup(file)) {
    if (item.kind === "row") {
      await writer?.add(item.row);
      if (table) onRow(table, item.row);
      rows += 1;
      progress.at(rows);
    } else {
      await writer?.settled();
      if (item.kind === "table") {
        table = item.table;
        writer = rowWriter(db, table);
      }
      // The file may have been changed between the two readings.
      if (item.kind === "end" && item.trailer.sha256 !== checked.sha256) {
        throw new OperatorError(`${file} changed while it was being read. No data was changed. Restore again.`);
      }
    }
  }
  progress.end();
}
