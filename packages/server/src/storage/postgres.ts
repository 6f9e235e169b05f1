import { sql } from "kysely";
import pg from "pg";
import {
  channelOf,
  foreignAnnouncements,
  type OwnAnnouncements,
  ownAnnouncements,
  refuseToAnnounce,
} from "./announcements.ts";
import { type Database, type Storage, StorageUnavailable, type Topic, type Work } from "./database.ts";
import { distributeTables } from "./distribute-tables.ts";
import { groupCommit, type WriterConnection } from "./group-commit.ts";
import { checkSchema, migrate } from "./migrate.ts";
import { purgePostgres } from "./postgres-purge.ts";
import { type Statement, statement } from "./statement.ts";

const MAX_READERS = 10;
const MAX_WRITERS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of ours takes long; one that does must not block a team's writer for ever. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that hangs, or a network that is cut, cannot time out by itself: then the connection is closed. */
const ANSWER_TIMEOUT_MS = 12_000;
/**
 * A process that stops in the middle of a transaction (a paused machine, a debugger) holds its team's lock. Shorter than the
 * statement timeout, so that those who wait for the lock still get it.
 */
const IDLE_WRITER_TIMEOUT_MS = 5_000;

/**
 * PostgreSQL 15 or newer, shared by any number of processes.
 *
 * The writes of one team run one after another: each group of them first locks the team's row of `team_counters`. So
 * event numbers have no gap, a stored total is never wrong, and two requests never deadlock, as on SQLite. Other teams
 * write at the same time.
 *
 * Connections are pipelined: BEGIN, the lock and the savepoints are sent without waiting for their answers, and so
 * cost no round trip of their own.
 */
export function openPostgres(url: string): Storage {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    application_name: "frontdesk",
    pipeline: true,
    types: { getTypeParser },
  };
  const readers = new pg.Pool({ ...options, max: MAX_READERS });
  const writers = new pg.Pool({
    ...options,
    max: MAX_WRITERS,
    idle_in_transaction_session_timeout: IDLE_WRITER_TIMEOUT_MS,
  });
  // A connection that breaks is replaced at its next use, and the work on it fails. Without a listener, on the pool for
  // an idle one and on the connection for one in use, it would end the process.
  for (const pool of [readers, writers]) {
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
  }

  const patient = patientConnections(options);
  const own = ownAnnouncements();
  const foreign = foreignAnnouncements(options);
  const lanes = new Map<string | null, ReturnType<typeof groupCommit>>();

  const storage: Storage = {
    engine: "postgres",
    async first(statement, params) {
      const client = await connect(readers);
      const row = database(client).first(statement, params);
      release(client, sent(row));
      return row;
    },
    async read<T>(work: Work<T>): Promise<T> {
      const client = await connect(readers);
      const begun = sent(client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
      try {
        const result = await work(database(client));
        await translated(begun);
        return result;
      } finally {
        release(client, sent(client.query("COMMIT")));
      }
    },
    write(teamId, work) {
      const lane = lanes.get(teamId) ?? openLane(teamId);
      return lane.run(work).finally(() => {
        if (lane.idle() && lanes.get(teamId) === lane) lanes.delete(teamId);
      });
    },
    version(topic) {
      const others = foreign.version(topic);
      return others === undefined ? undefined : `${own.version(topic)}-${others}`;
    },
    hear: foreign.hear,
    joinServers: async () => {},
    async clock() {
      const row = await storage.first(databaseClock, {});
      return row?.now ?? Date.now();
    },
    async migrate() {
      // A step over many rows may take any time.
      return patient.use(async (client) => {
        await client.query("BEGIN");
        await client.query("SELECT pg_advisory_xact_lock(4713017)");
        const raw = async (text: string) => (await client.query(text)).rows;
        const applied = await migrate(database(client), raw);
        const distributed = await distributeTables(raw);
        await client.query("COMMIT");
        return { applied, distributed };
      });
    },
    purgeDeleted: () => patient.use((client) => translated(purgePostgres(client))),
    check: () => storage.read(checkSchema),
    async close() {
      await Promise.all([...lanes.values()].map((lane) => lane.settled()));
      await Promise.all([patient.close(), readers.end(), writers.end(), foreign.close()]);
    },
  };
  return storage;

  function openLane(teamId: string | null) {
    const clients = new WeakMap<WriterConnection, { client: pg.PoolClient; broken: boolean }>();
    const lane = groupCommit(
      async () => {
        const client = await connect(writers);
        const held = { client, broken: false };
        const connection = writerConnection(client, teamId, own, () => {
          held.broken = true;
        });
        clients.set(connection, held);
        return connection;
      },
      (connection) => {
        const held = clients.get(connection);
        held?.client.release(held.broken);
      },
    );
    lanes.set(teamId, lane);
    return lane;
  }
}

/**
 * Connections without our timeouts, for work of any length; what it has not committed is rolled back. Not pipelined, so that closing
 * the storage can end them in the middle of a statement.
 */
function patientConnections({ statement_timeout, query_timeout, ...options }: pg.ClientConfig) {
  const clients = new Set<pg.Client>();
  return {
    async use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
      const client = new pg.Client({ ...options, pipeline: false });
      client.on("error", () => {});
      clients.add(client);
      try {
        await connected(client.connect());
        return await work(client);
      } finally {
        clients.delete(client);
        await client.end();
      }
    },
    close: () => Promise.all([...clients].map((client) => client.end())),
  };
}

const databaseClock = statement<Record<never, never>, { now: number }>((db) =>
  db.selectNoFrom(sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`.as("now")),
);

/** Locks the team for the length of the transaction. A team that is being created has no row yet, and needs no lock. */
const lockTeam = statement<{ team_id: string }>((db, param) =>
  db
    .selectFrom("team_counters")
    .select(sql<number>`1`.as("locked"))
    .where("team_id", "=", param("team_id"))
    .forUpdate(),
);

function writerConnection(
  client: pg.PoolClient,
  teamId: string | null,
  announcements: OwnAnnouncements,
  markBroken: () => void,
): WriterConnection {
  const announced = new Set<Topic>();
  const db: Database = {
    ...database(client),
    announce(topic) {
      announced.add(topic);
      ahead.push(sent(client.query(`NOTIFY ${channelOf(topic)}`)));
    },
  };
  // Statements sent without waiting; a failure surfaces at the commit at the latest.
  let ahead: Promise<unknown>[] = [];
  const send = async (text: string) => {
    ahead.push(sent(client.query(text)));
  };
  /** When BEGIN or the lock has failed, everything after it did too, and that first failure is the one to report. */
  const allSent = async () => {
    for (const promise of ahead) await translated(promise);
    ahead = [];
  };
  return {
    async begin() {
      await send("BEGIN");
      if (teamId !== null) ahead.push(sent(db.first(lockTeam, { team_id: teamId })));
      return db;
    },
    savepoint: () => send("SAVEPOINT unit"),
    releaseSavepoint: () => send("RELEASE SAVEPOINT unit"),
    async rollbackToSavepoint() {
      await translated(client.query("ROLLBACK TO SAVEPOINT unit")).catch(async (error) => {
        await allSent();
        throw error;
      });
      await send("RELEASE SAVEPOINT unit");
    },
    async commit() {
      const committed = translated(client.query("COMMIT"));
      committed.catch(() => {});
      await allSent();
      const { command } = await committed;
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, and no error.
      if (command !== "COMMIT") throw new Error("The transaction could not be committed.");
      announcements.made(announced);
    },
    async rollback() {
      await client.query("ROLLBACK").catch(markBroken);
      await allSent();
    },
  };
}

/**
 * Statements on a connection. Within a transaction they may be awaited later, and are not awaited any more once another one has failed:
 * their failure must not count as unhandled, which would end the process. No such transaction can be committed.
 */
function database(client: pg.ClientBase): Database {
  async function ask<P, Row>(statement: Statement<P, Row>, params: P) {
    const { sql: text, name, values } = statement.compiled("postgres");
    return translated(client.query({ text, name, values: values(params) }));
  }
  return {
    engine: "postgres",
    all: (statement, params) => sent(ask(statement, params).then(({ rows }) => rows)),
    first: (statement, params) => sent(ask(statement, params).then(({ rows }) => rows[0])),
    run: (statement, params) => sent(ask(statement, params).then(({ rowCount }) => rowCount ?? 0)),
    announce: refuseToAnnounce,
  };
}

function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return connected(pool.connect());
}

async function connected<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    throw new StorageUnavailable(`PostgreSQL cannot be reached: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the connection to the pool once its COMMIT has succeeded; a connection in an unknown state is closed. */
function release(client: pg.PoolClient, committed: Promise<unknown>): void {
  committed.then(
    () => client.release(),
    () => client.release(true),
  );
}

/** A query whose result is awaited later: until then its failure must not count as unhandled. */
function sent<T>(query: Promise<T>): Promise<T> {
  query.catch(() => {});
  return query;
}

/** Classes of SQLSTATE that mean "not now": connection, resources, operator intervention, system, lock, timeouts. */
const UNAVAILABLE_STATES = /^(08|53|57|58|55P03|25006|25P03)/;

async function translated<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    // The detail of a broken constraint contains the whole row, and errors are logged.
    delete (error as { detail?: string }).detail;
    const { code, message } = error as { code?: string; message: string };
    const lost =
      code === undefined ? /terminated|closed|ended|timeout|not queryable/i.test(message) : /^E[A-Z]+$/.test(code);
    if (lost || (code !== undefined && UNAVAILABLE_STATES.test(code))) {
      throw new StorageUnavailable(`PostgreSQL is not responding: ${message}`, { cause: error });
    }
    throw error;
  }
}

const INT8 = 20;
/** Counters and times are numbers: they stay far below 2^53. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === INT8) return Number;
  return pg.types.getTypeParser(oid, format as "text");
}
