import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { type OwnAnnouncements, ownAnnouncements, refuseToAnnounce } from "./announcements.ts";
import { type Database, type Storage, StorageUnavailable, type Topic } from "./database.ts";
import { groupCommit, type WriterConnection } from "./group-commit.ts";
import { checkSchema, migrate } from "./migrate.ts";
import { writePlannerStatistics } from "./planner-statistics.ts";
import { purgeSqlite } from "./sqlite-purge.ts";
import { sqliteServers } from "./sqlite-servers.ts";
import type { CompiledStatement } from "./statement.ts";

/** How long a statement waits for another process (a command line next to the server) before it fails. */
const BUSY_TIMEOUT_MS = 5_000;
/** A read is quick work of one core: more at once would only cost files and memory, so further ones queue. */
const MAX_READERS = 10;
/** Statements run synchronously in the process. After this much time a read yields to other work. */
const YIELD_AFTER_MS = 5;
/**
 * Pages that a connection caches. There are ten readers, so theirs count ten times: with 16 MiB each the process grew as long
 * as the data did. What they do not hold is in the system's own cache.
 */
const WRITER_CACHE_KIB = 16_000;
const READER_CACHE_KIB = 4_000;

/**
 * The embedded engine: one file, one writer connection and separate readers in WAL mode, so that a read never waits for a
 * write. `synchronous = FULL`: a commit that was answered survives a power cut. `secure_delete = ON`: what is deleted or
 * overwritten becomes zeros (docs/decisions/0053-erasing.md has what that costs, and why not FAST).
 *
 * @param file path of the database file; it and its folder are created when missing
 */
export function openSqlite(file: string): Storage {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Readable by no other user, and so are the files that SQLite creates next to it.
  closeSync(openSync(file, "a", 0o600));
  const writer = openConnection(file, false);
  const idleReaders: Connection[] = [];
  const waitingReads: ((reader: Connection) => void)[] = [];
  let readers = 0;

  const announcements = ownAnnouncements();
  const servers = sqliteServers(`${file}-servers`);
  const writes = groupCommit(
    async () => writerConnection(writer, announcements),
    () => {},
  );

  const storage: Storage = {
    engine: "sqlite",
    first: (statement, params) => withReader((reader) => reader.database.first(statement, params)),
    read: (work) =>
      withReader(async (reader) => {
        reader.exec("BEGIN");
        try {
          return await work(yielding(reader.database));
        } finally {
          reader.exec("COMMIT");
        }
      }),
    write: (_teamId, work) => writes.run(work),
    // Read on the connection that makes all commits of this process: any commit of another one counts as news.
    version: (topic) => `${announcements.version(topic)}-${writer.dataVersion()}`,
    hear: () => () => {},
    joinServers: servers.join,
    clock: async () => Date.now(),
    async migrate() {
      // A migration may make a table anew, which others refer to. It can only be switched outside of a transaction.
      writer.exec("PRAGMA foreign_keys = OFF");
      try {
        const applied = await storage.write(null, async (db) => {
          const numbers = await migrate(db, writer.raw);
          if (numbers.length > 0) await checkReferences(writer.raw);
          if (numbers.length > 0) await writePlannerStatistics(writer.raw);
          return numbers;
        });
        return { applied, distributed: [] };
      } finally {
        writer.exec("PRAGMA foreign_keys = ON");
      }
    },
    purgeDeleted: () =>
      purgeSqlite({ file, between: writes.between, withoutWaiting: writer.withoutWaiting }).catch((error) => {
        throw inOurWords(error);
      }),
    check: () => storage.read(checkSchema),
    async close() {
      await writes.settled();
      servers.close();
      for (const reader of idleReaders.splice(0)) reader.close();
      writer.close();
    },
  };
  return storage;

  async function withReader<T>(work: (reader: Connection) => Promise<T>): Promise<T> {
    const reader = idleReaders.pop() ?? openReader() ?? (await nextReader());
    try {
      return await work(reader);
    } finally {
      const next = waitingReads.shift();
      if (next) next(reader);
      else idleReaders.push(reader);
    }
  }

  function openReader(): Connection | undefined {
    if (readers === MAX_READERS) return undefined;
    const reader = openConnection(file, true);
    readers += 1;
    return reader;
  }

  /** The next reader that becomes free, first come, first served. */
  function nextReader(): Promise<Connection> {
    return new Promise((resolve) => waitingReads.push(resolve));
  }
}

/** @throws Error when a row refers to one that is not there */
async function checkReferences(raw: (sql: string) => Promise<Record<string, unknown>[]>): Promise<void> {
  const [broken] = await raw("PRAGMA foreign_key_check");
  if (broken) throw new Error(`A row of ${broken.table} refers to a row of ${broken.parent} that is not there.`);
}

/** The same database for one read; a long read yields to others between its statements and keeps its snapshot. */
function yielding(database: Database): Database {
  let began = performance.now();
  async function yieldToOthers(): Promise<void> {
    await setImmediate();
    began = performance.now();
  }
  const isOver = () => performance.now() - began > YIELD_AFTER_MS;
  return {
    ...database,
    all: (statement, params) =>
      isOver() ? yieldToOthers().then(() => database.all(statement, params)) : database.all(statement, params),
    first: (statement, params) =>
      isOver() ? yieldToOthers().then(() => database.first(statement, params)) : database.first(statement, params),
  };
}

interface Connection {
  database: Database;
  raw: (sql: string) => Promise<Record<string, unknown>[]>;
  exec(sql: string): void;
  /** The rows of a statement that rather fails than waits for a lock. */
  withoutWaiting(sql: string): Record<string, unknown>[];
  /** Changes when another connection has committed. */
  dataVersion(): number;
  inTransaction(): boolean;
  close(): void;
}

function openConnection(file: string, readOnly: boolean): Connection {
  const sqlite = translated(() => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }));
  // query_only instead of a read-only file handle: a reader may have to create the WAL index.
  const settings = `
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${readOnly ? READER_CACHE_KIB : WRITER_CACHE_KIB};
    PRAGMA temp_store = MEMORY;
    ${readOnly ? "PRAGMA query_only = ON;" : ""}
  `;
  translated(() => sqlite.exec(settings));
  const dataVersion = translated(() => sqlite.prepare("PRAGMA data_version"));
  const control = new Map<string, StatementSync>();
  const prepared = new Map<string, Prepared>();
  function prepare<P>(compiled: CompiledStatement<P>): Prepared {
    const known = prepared.get(compiled.name);
    if (known) return known;
    const statement = translated(() => sqlite.prepare(compiled.sql));
    statement.setReturnArrays(true);
    const fresh = { statement, toRow: rowMaker(statement.columns().map(({ name }) => name)) };
    prepared.set(compiled.name, fresh);
    return fresh;
  }
  type Bindable = (null | number | bigint | string)[];

  return {
    database: {
      engine: "sqlite",
      async all(statement, params) {
        const compiled = statement.compiled("sqlite");
        const { statement: ready, toRow } = prepare(compiled);
        const rows = translated(() => ready.all(...(compiled.values(params) as Bindable)));
        return (rows as unknown as unknown[][]).map(toRow) as never;
      },
      async first(statement, params) {
        const compiled = statement.compiled("sqlite");
        const { statement: ready, toRow } = prepare(compiled);
        const row = translated(() => ready.get(...(compiled.values(params) as Bindable)));
        return row && (toRow(row as unknown as unknown[]) as never);
      },
      async run(statement, params) {
        const compiled = statement.compiled("sqlite");
        const { statement: ready } = prepare(compiled);
        return Number(translated(() => ready.run(...(compiled.values(params) as Bindable))).changes);
      },
      announce: refuseToAnnounce,
    },
    async raw(sql) {
      return translated(() => sqlite.prepare(sql).all()) as Record<string, unknown>[];
    },
    exec(sql) {
      // Prepared as well: BEGIN and COMMIT are part of every request.
      const statement = control.get(sql) ?? translated(() => sqlite.prepare(sql));
      control.set(sql, statement);
      translated(() => statement.run());
    },
    withoutWaiting(sql) {
      return translated(() => {
        sqlite.exec("PRAGMA busy_timeout = 0");
        try {
          return sqlite.prepare(sql).all();
        } finally {
          sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
        }
      });
    },
    dataVersion: () => (translated(() => dataVersion.get()) as { data_version: number }).data_version,
    inTransaction: () => sqlite.isTransaction,
    close: () => sqlite.close(),
  };
}

interface Prepared {
  statement: StatementSync;
  toRow(values: unknown[]): object;
}

/**
 * Builds a row's object from its values, by a function generated for the statement's columns. Ten rows of 16 columns take 17 µs
 * this way, 21 µs in a loop over the names, and 30 µs as the objects of node:sqlite itself.
 */
function rowMaker(columns: readonly string[]): (values: unknown[]) => object {
  const members = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${members.join(", ")} }`) as (values: unknown[]) => object;
}

function writerConnection(writer: Connection, announcements: OwnAnnouncements): WriterConnection {
  const announced = new Set<Topic>();
  return {
    async begin() {
      writer.exec("BEGIN IMMEDIATE");
      return { ...writer.database, announce: (topic) => announced.add(topic) };
    },
    savepoint: async () => writer.exec("SAVEPOINT unit"),
    releaseSavepoint: async () => writer.exec("RELEASE unit"),
    async rollbackToSavepoint() {
      writer.exec("ROLLBACK TO unit");
      writer.exec("RELEASE unit");
    },
    async commit() {
      writer.exec("COMMIT");
      announcements.made(announced);
    },
    async rollback() {
      // SQLite may have rolled it back by itself (a full disk).
      if (writer.inTransaction()) writer.exec("ROLLBACK");
    },
  };
}

/** Result codes that mean "not now": full, busy, locked, I/O error, cannot open, read-only file. */
const UNAVAILABLE_CODES = new Set([5, 6, 8, 10, 13, 14]);

function translated<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw inOurWords(error);
  }
}

function inOurWords(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined || !UNAVAILABLE_CODES.has(code & 0xff)) return error;
  return new StorageUnavailable(`SQLite cannot read or write its file: ${(error as Error).message}`, { cause: error });
}
