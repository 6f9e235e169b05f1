import { createHash, randomBytes } from "node:crypto";
import { closeSync, createWriteStream, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { openVault } from "../access/vault.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { OperatorError } from "../operator-error.ts";
import type { Progress } from "../progress.ts";
import { installationValue } from "../setup/installation-store.ts";
import { type Database, type Storage, StorageUnavailable } from "../storage/database.ts";
import { productSchema, unknownMigrations } from "../storage/product-schema.ts";
import { type AppliedMigration, appliedMigrations, countRows, readRows } from "../storage/table-rows.ts";
import { VERSION } from "../version.ts";
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupTrailer,
  fileLine,
  PIECE_BYTES,
  pieceLine,
  ROWS_ONLY_VERSION,
  rowLine,
  tableLine,
  trailerLine,
} from "./backup-format.ts";
import { recordedFiles } from "./recorded-files.ts";

export interface BackupOptions {
  /** The path of the file. */
  file: string;
  /** Replaces an existing file. */
  replace: boolean;
  /** The vault's 32 bytes, to be included; undefined: left out. */
  key: Buffer | undefined;
  /** Where the content of files is read, to be included; undefined: left out. */
  files: FileStorage | undefined;
  /** The time in the header, ms since the epoch. */
  now: number;
  /** How many rows to expect, for the progress; 0 when unknown. */
  total: number;
  progress: Progress;
}

export interface WrittenBackup {
  file: string;
  /** Its size. */
  bytes: number;
  rows: number;
  /** How many tables it holds. */
  tables: number;
  /** How many files it contains; undefined when none were requested. */
  files: number | undefined;
  /** How many files were missing in the file storage. */
  missing: number;
  /** The fingerprint of the key that its secrets are sealed with; null when there is none yet. */
  vault: string | null;
}

/**
 * Writes everything in one snapshot of the data into one file (`backup-format.ts`). The file has its name only when it is
 * complete and on the disk; only its owner can read it. A repeat writes another file.
 *
 * @param db the snapshot: a read transaction; a server may continue to write meanwhile
 * @throws OperatorError when there is no data, it is a newer Frontdesk's, the key is not its own, or the file cannot be
 *   written
 */
export async function writeBackup(db: Database, options: BackupOptions): Promise<WrittenBackup> {
  const { file, replace } = options;
  if (!replace && existsSync(file)) throw taken(file);
  const header = await headerOf(db, options);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.part`;
  try {
    const written = await writeDraft(db, header, draft, options);
    const bytes = statSync(draft).size;
    putInPlace(draft, file, replace);
    return { file, bytes, ...written, vault: header.vault };
  } catch (error) {
    rmSync(draft, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code || !FILE_PROBLEMS.has(code)) throw error;
    throw new OperatorError(`Cannot write the backup to ${file}: ${message}`, { cause: error });
  }
}

const FILE_PROBLEMS = new Set(["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO"]);

function taken(file: string): OperatorError {
  return new OperatorError(`${file} already exists. Choose a different name, or overwrite it with --force.`);
}

async function headerOf(db: Database, { key, now, files }: BackupOptions): Promise<BackupHeader> {
  const schema = await appliedMigrations(db);
  if (schema.length === 0) throw new OperatorError("There is no data yet, so there is nothing to back up.");
  refuseUnknown(schema);
  const vault = (await db.first(installationValue, { name: "vault_fingerprint" }))?.value ?? null;
  if (key && vault !== null && openVault(key).fingerprint !== vault) {
    throw new OperatorError("The current key is not the one this data was encrypted with. Put the right key in place.");
  }
  return {
    format: BACKUP_FORMAT,
    version: files ? BACKUP_VERSION : ROWS_ONLY_VERSION,
    program: VERSION,
    engine: db.engine,
    created_at: new Date(now).toISOString(),
    schema,
    vault,
    ...(key && { key: key.toString("base64") }),
  };
}

/** Tables and columns that this program does not know would be missing from the backup without notice. */
function refuseUnknown(schema: readonly AppliedMigration[]): void {
  const unknown = unknownMigrations(schema.map(({ number }) => number));
  if (unknown.length === 0) return;
  throw new OperatorError(
    `The data was migrated by a newer Frontdesk (step ${unknown.join(", ")}). Create the backup with that version.`,
  );
}

async function writeDraft(db: Database, header: BackupHeader, draft: string, options: BackupOptions) {
  const { progress, total, files: fileStorage } = options;
  const { tables } = productSchema(header.schema.map(({ number }) => number));
  const counts: Record<string, number> = {};
  const hash = createHash("sha256");
  let rows = 0;
  let files = 0;
  let missing = 0;

  async function* chunks(): AsyncGenerator<string> {
    progress.begin(total);
    yield `${JSON.stringify(header)}\n`;
    for (const table of tables) {
      counts[table.name] = 0;
      yield tableLine(table.name, table.columns);
      for await (const page of readRows(db, table)) {
        rows += page.length;
        counts[table.name] = (counts[table.name] ?? 0) + page.length;
        progress.at(rows);
        yield page.map(rowLine).join("");
      }
    }
    if (fileStorage) yield* fileChunks(fileStorage);
  }

  async function* fileChunks(fileStorage: FileStorage): AsyncGenerator<string> {
    for await (const { isUsed, ...file } of recordedFiles(db)) {
      const content = isUsed ? await fileStorage.read(file) : undefined;
      if (!content) missing += isUsed ? 1 : 0;
      else {
        files += 1;
        yield fileLine(file);
        for await (const bytes of inPieces(content)) yield pieceLine(bytes);
      }
    }
  }

  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const text of chunks()) {
      const bytes = Buffer.from(text);
      hash.update(bytes);
      yield bytes;
    }
    const end: BackupTrailer = { rows, tables: counts, ...(fileStorage && { files }), sha256: hash.digest("hex") };
    yield Buffer.from(trailerLine(end));
  }

  await pipeline(
    Readable.from(hashed()),
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }),
  );
  progress.end();
  return { rows, tables: tables.length, files: fileStorage && files, missing };
}

/** Of equal size, so that a line is never long, and base64 has no padding before the end. */
async function* inPieces(content: Readable): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of content) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (; rest.byteLength >= PIECE_BYTES; rest = rest.subarray(PIECE_BYTES)) yield rest.subarray(0, PIECE_BYTES);
  }
  if (rest.byteLength > 0) yield rest;
}

/** About how many rows a backup would contain now; 0 when counting takes too long. */
export async function rowsToExpect(storage: Storage): Promise<number> {
  try {
    return await storage.read(async (db) => {
      let total = 0;
      const schema = await appliedMigrations(db);
      for (const table of productSchema(schema.map(({ number }) => number)).tables) total += await countRows(db, table);
      return total;
    });
  } catch (error) {
    if (error instanceof StorageUnavailable) return 0;
    throw error;
  }
}

/** Renames the file, and waits until the name is on the disk. */
function putInPlace(draft: string, file: string, replace: boolean): void {
  if (!replace && existsSync(file)) throw taken(file);
  renameSync(draft, file);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
