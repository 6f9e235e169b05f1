import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { OperatorError } from "../operator-error.ts";
import { type ProductTable, productSchema, unknownMigrations } from "../storage/product-schema.ts";
import type { Row } from "../storage/table-rows.ts";
import {
  BACKUP_VERSION,
  type BackupHeader,
  type BackupTrailer,
  isWholeHeader,
  readHeader,
  readLine,
} from "./backup-format.ts";
import type { BackupFile } from "./recorded-files.ts";

/** The parts of a backup, in its order. */
export type BackupItem =
  | { kind: "header"; header: BackupHeader }
  /** Its columns are in the order of the rows that follow. */
  | { kind: "table"; table: ProductTable }
  | { kind: "row"; row: Row }
  /** Followed by the pieces of its content. */
  | { kind: "file"; file: BackupFile }
  | { kind: "piece"; bytes: Buffer }
  | { kind: "end"; trailer: BackupTrailer };

/** Far more than any row; another kind of file must not fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a backup from its first line to its last, and checks it: every table that the schema has, with its columns, the number
 * of rows and bytes of files, the hash over all. Only after `end` is the backup complete.
 *
 * @throws OperatorError when it is no backup, a newer Frontdesk's, or damaged
 */
export async function* readBackup(file: string): AsyncGenerator<BackupItem> {
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  let schema: ProductTable[] | undefined;
  let table: ProductTable | undefined;
  let trailer: BackupTrailer | undefined;
  let rows = 0;
  let files = 0;
  /** How many bytes of the present file are still missing. */
  let missing = 0;

  for await (const bytes of linesOf(file)) {
    const text = bytes.toString("utf8");
    if (trailer) throw damaged(file, "it continues after its end");
    if (!schema) {
      const header = acceptedHeader(file, text);
      schema = [...productSchema(header.schema.map(({ number }) => number)).tables];
      hash.update(bytes);
      yield { kind: "header", header };
      continue;
    }
    const line = readLine(text);
    if (!line) throw damaged(file, "it contains a line that cannot be read");
    if (line.kind === "piece") missing -= line.bytes.byteLength;
    if (missing < 0 || (missing > 0 && line.kind !== "piece")) throw damaged(file, "a file in it is incomplete");
    if (line.kind === "end") {
      trailer = line.trailer;
      const fits =
        trailer.sha256 === hash.digest("hex") &&
        trailer.rows === rows &&
        (trailer.files ?? 0) === files &&
        schema.every(({ name }) => counts.get(name) === line.trailer.tables[name]);
      if (!fits) throw damaged(file, "its content was modified");
      continue;
    }
    hash.update(bytes);
    if (line.kind === "table") {
      const known = schema.find(({ name }) => name === line.table);
      if (!known || counts.has(known.name) || !sameNames(known.columns, line.columns)) {
        throw damaged(file, `its table ${JSON.stringify(line.table)} does not match`);
      }
      table = { ...known, columns: line.columns };
      counts.set(table.name, 0);
      yield { kind: "table", table };
    } else if (line.kind === "file") {
      files += 1;
      missing = line.file.size;
      yield line;
    } else if (line.kind === "piece") {
      yield line;
    } else {
      if (!table || line.row.length !== table.columns.length) throw damaged(file, "it contains an invalid row");
      counts.set(table.name, (counts.get(table.name) ?? 0) + 1);
      rows += 1;
      yield line;
    }
  }
  if (!schema) throw notABackup(file);
  if (!trailer) throw damaged(file, "its end is missing");
  yield { kind: "end", trailer };
}

function acceptedHeader(file: string, text: string): BackupHeader {
  const header = readHeader(text);
  if (!header) throw notABackup(file);
  if (header.version > BACKUP_VERSION) {
    throw new OperatorError(`${file} was created by a newer Frontdesk, in a format that this version cannot read.`);
  }
  if (!isWholeHeader(header)) throw damaged(file, "its first line is unreadable");
  const unknown = unknownMigrations(header.schema.map(({ number }) => number));
  if (unknown.length > 0) {
    throw new OperatorError(
      `${file} contains data from a newer Frontdesk (${header.program}, step ${unknown.join(", ")}). Restore it with that version.`,
    );
  }
  return header;
}

/** The lines of the file, each with its newline; an unterminated one is the last. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(file);
  const unpacked = packed.pipe(createGunzip());
  // `pipe` does not forward errors, and a stream left in the middle is closed here.
  packed.on("error", (error) => unpacked.destroy(error));
  let started: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...started, chunk.subarray(from, at + 1)]);
        started = [];
        length = 0;
        from = at + 1;
      }
      started.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > MAX_LINE_BYTES) throw notABackup(file);
    }
  } catch (error) {
    throw fileProblem(file, error);
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
  if (length > 0) throw damaged(file, "its end is missing");
}

function fileProblem(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new OperatorError(`The file ${file} does not exist.`, { cause: error });
  if (code === "Z_DATA_ERROR" && message.includes("incorrect header")) return notABackup(file);
  if (code?.startsWith("Z_")) return damaged(file, "its end is missing or it was modified");
  if (code && /^E[A-Z]+$/.test(code)) return new OperatorError(`Cannot read ${file}: ${message}`, { cause: error });
  return error;
}

function notABackup(file: string): OperatorError {
  return new OperatorError(`${file} is not a Frontdesk backup.`);
}

function damaged(file: string, why: string): OperatorError {
  return new OperatorError(`${file} is damaged: ${why}. No data was changed. Use another backup.`);
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}
