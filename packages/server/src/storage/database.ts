import type { Engine } from "./dialect.ts";
import type { Statement } from "./statement.ts";

/**
 * The open transaction, as a store sees it: the only database that can be reached (invariants 2 and 4).
 *
 * Statements may be issued without waiting for one another (`Promise.all`): they run in the order they were issued,
 * and on PostgreSQL they then share a round trip.
 */
export interface Database {
  readonly engine: Engine;
  /** Every row of the statement's result. */
  all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]>;
  /** The first row, or undefined. */
  first<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined>;
  /** Runs a statement that changes rows; returns how many it changed. */
  run<P>(statement: Statement<P, unknown>, params: P): Promise<number>;
  /** Announces something with the commit of this write (`Storage.version`); a read announces nothing. */
  announce(topic: Topic): void;
}

/**
 * What a commit announces to caches in every process. `access`: a key or a team's access has changed. `outbox`: a queue of the
 * outbox was switched off or removed.
 */
export type Topic = "access" | "outbox";

/** Work in one transaction. It must wait for nothing but the database it is passed (invariant 3). */
export type Work<T> = (db: Database) => Promise<T>;

/**
 * The storage port. It has two engines, SQLite and PostgreSQL; `dialect.ts` has the differences in SQL.
 *
 * @throws StorageUnavailable from every method when the engine cannot be reached or refuses to write.
 */
export interface Storage {
  readonly engine: Engine;
  /** The first row of one statement, outside any transaction: the cheapest read. */
  first<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined>;
  /** Reads from one consistent snapshot. Never waits for a write. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Changes one team's data (`null`: the installation's own, or a team that is being created). The work of one team runs
   * strictly one after another, also across processes; its changes are durable when the promise resolves, and undone when it
   * rejects.
   */
  write<T>(teamId: string | null, work: Work<T>): Promise<T>;
  /**
   * A text that stays the same while nothing can have been announced under the topic, by this process or another; undefined
   * while that is unknown. What was read between two equal versions is still current.
   */
  version(topic: Topic): string | undefined;
  /**
   * Calls `listener` when another process has announced something under the topic, or may have, until the returned function is
   * called. On SQLite no other process serves, and it is never called.
   */
  hear(topic: Topic, listener: () => void): () => void;
  /**
   * Registers this process as a server of this database, until the storage is closed. When there is no other, `alone` runs
   * first, and none can join meanwhile. On PostgreSQL that cannot be known: `alone` never runs.
   */
  joinServers(alone: () => Promise<unknown>): Promise<void>;
  /** The time by the clock that all processes of this database share, ms since the epoch. */
  clock(): Promise<number>;
  /** Applies missing migrations; on a cluster it also distributes the tables. */
  migrate(): Promise<Migrated>;
  /**
   * Takes deleted and overwritten rows out of the engine's files, as far as it can without making others wait for long
   * (`sqlite-purge.ts`, `postgres-purge.ts`). A repeat has the same result.
   */
  purgeDeleted(): Promise<void>;
  /** Resolves when the engine answers and its schema fits this program. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The result of `migrate`. */
export interface Migrated {
  /** The numbers of the applied migrations. */
  applied: number[];
  /** The tables distributed over the nodes of a cluster; empty on a single machine. */
  distributed: string[];
}

/** The engine cannot be reached, is full, or stays locked: the caller may try again (decision 32: HTTP 503). */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}
