import { canonicalId } from "@frontdesk/core/domain/id";
import type { AppliedMigration, Row } from "../storage/table-rows.ts";
import type { BackupFile } from "./recorded-files.ts";

/**
 * A backup is one gzip file of lines of JSON, the same from both engines, so that either can read what the other wrote:
 *
 * ```
 * {"format":"frontdesk-backup","version":1,"schema":[…],…}      the header
 * {"table":"teams","columns":["team_id",…]}                      a table, and below it
 * ["01a1…","Acme",1,1794500000000]                               each of its rows
 * {"table":"agents",…}                                           tables come after those they refer to
 * …
 * {"file":{"teamId":"01a1…","id":"01a2…","size":48211}}          an uploaded file, and below it
 * "iVBORw0KGgo…"                                                 its content in pieces, each in base64
 * …
 * {"end":{"rows":12,"tables":{"teams":1,…},"sha256":"…"}}        the trailer; the hash is of all bytes before this line
 * ```
 * `zcat FILE | less` shows it. gzip rather than zstd, which took 400 ms in place of 540 for 40 MB, because Node still
 * calls its zstd experimental, and every machine can read gzip. A backup without the content of files is of version 1.
 */
export interface BackupHeader {
  format: typeof BACKUP_FORMAT;
  version: number;
  /** The version of Frontdesk that wrote it. */
  program: string;
  /** The engine it was read from; only for people. */
  engine: string;
  /** The moment of the snapshot, ISO 8601. */
  created_at: string;
  /** The migrations that the data had. */
  schema: AppliedMigration[];
  /** The fingerprint of the key that seals secrets; null when none was in use yet. */
  vault: string | null;
  /** The key itself, base64, when the operator requested it. */
  key?: string;
}

export interface BackupTrailer {
  rows: number;
  /** Rows of each table. */
  tables: Record<string, number>;
  /** How many files it contains; left out when none were requested. */
  files?: number;
  /** Of every byte before the trailer's line, uncompressed; hexadecimal. */
  sha256: string;
}

export const BACKUP_FORMAT = "frontdesk-backup";
export const BACKUP_VERSION = 2;
/** Of a backup that contains rows only. */
export const ROWS_ONLY_VERSION = 1;
/** Of a file, in one line. */
export const PIECE_BYTES = 49_152;

/** The content of a line. */
export type BackupLine =
  | { kind: "table"; table: string; columns: string[] }
  | { kind: "row"; row: Row }
  | { kind: "file"; file: BackupFile }
  | { kind: "piece"; bytes: Buffer }
  | { kind: "end"; trailer: BackupTrailer };

export const tableLine = (table: string, columns: readonly string[]) => `${JSON.stringify({ table, columns })}\n`;
export const rowLine = (row: Row) => `${JSON.stringify(row)}\n`;
export const fileLine = (file: BackupFile) => `${JSON.stringify({ file })}\n`;
export const pieceLine = (bytes: Buffer) => `"${bytes.toString("base64")}"\n`;
export const trailerLine = (end: BackupTrailer) => `${JSON.stringify({ end })}\n`;

/** Reads a line below the header; undefined when it is invalid. */
export function readLine(text: string): BackupLine | undefined {
  const value: unknown = parsed(text);
  if (Array.isArray(value)) return value.every(isValue) ? { kind: "row", row: value } : undefined;
  if (typeof value === "string") return { kind: "piece", bytes: Buffer.from(value, "base64") };
  if (!isObject(value)) return undefined;
  const { table, columns, file, end } = value;
  if (isBackupFile(file)) return { kind: "file", file };
  if (typeof table === "string" && isTexts(columns)) return { kind: "table", table, columns };
  if (!isObject(end) || typeof end.rows !== "number" || typeof end.sha256 !== "string" || !isObject(end.tables)) {
    return undefined;
  }
  return { kind: "end", trailer: end as unknown as BackupTrailer };
}

/** Reads the first line; undefined when it is not that of a backup. Its version is not checked. */
export function readHeader(text: string): Pick<BackupHeader, "format" | "version"> | undefined {
  const value = parsed(text);
  if (!isObject(value) || value.format !== BACKUP_FORMAT || typeof value.version !== "number") return undefined;
  return value as unknown as BackupHeader;
}

/** Whether a header of our version is complete. */
export function isWholeHeader(header: object): header is BackupHeader {
  const { program, engine, created_at, schema, vault, key } = header as Record<string, unknown>;
  return (
    [program, engine, created_at].every((value) => typeof value === "string") &&
    Array.isArray(schema) &&
    schema.every((migration) => isObject(migration) && typeof migration.number === "number") &&
    (vault === null || typeof vault === "string") &&
    (key === undefined || typeof key === "string")
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of files become names on the disk: ids and nothing else. */
function isBackupFile(value: unknown): value is BackupFile {
  if (!isObject(value)) return false;
  const { teamId, id, size } = value;
  return [teamId, id].every((text) => typeof text === "string" && canonicalId(text) === text) && Number.isInteger(size);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isValue(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}
