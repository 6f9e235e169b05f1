import type { Database, Work } from "./database.ts";

/** One connection that writes, as the group commit uses it. */
export interface WriterConnection {
  begin(): Promise<Database>;
  savepoint(): Promise<void>;
  releaseSavepoint(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
  commit(): Promise<void>;
  /** Rejects only when the transaction had failed before its first unit: then that failure is the one to report. */
  rollback(): Promise<void>;
}

/** Bounds how long the first of a group waits for the last. */
const MAX_GROUP = 128;

interface Unit {
  work: Work<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs units of work strictly one after another, those that wait at the same time in one transaction, so that many of them
 * wait for the disk only once. Each unit has a savepoint of its own: one that throws rolls back only its own changes.
 *
 * ```
 * waiting --(the group before it is committed)--> running --(commit)--> resolved with its result
 *                                                    |--(it throws)---> rolled back to its savepoint, rejected
 *                                                    |--(the commit fails)-----------> rejected, like its whole group
 * ```
 * A unit's promise settles after the commit, never before: a result that was returned is durable.
 */
export function groupCommit(connect: () => Promise<WriterConnection>, disconnect: (c: WriterConnection) => void) {
  const waiting: Unit[] = [];
  const between: (() => Promise<void>)[] = [];
  let draining: Promise<void> | undefined;

  return {
    run<T>(work: Work<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Unit["resolve"], reject });
        draining ??= drain();
      });
    },
    /** Runs `act` between two groups, outside of any transaction: meanwhile no unit of work runs. */
    between<T>(act: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        between.push(() => act().then(resolve, reject));
        draining ??= drain();
      });
    },
    /** True when nothing waits or runs. */
    idle: () => draining === undefined,
    /** Resolves when everything that was passed in so far has settled. */
    settled: () => draining ?? Promise.resolve(),
  };

  async function drain(): Promise<void> {
    // Let requests that arrived together add their work first.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 || between.length > 0) {
      if (waiting.length > 0) await runGroup(waiting.splice(0, MAX_GROUP));
      await between.shift()?.();
    }
    // In the same step as the last check of what waits: what comes after it starts a drain of its own.
    draining = undefined;
  }

  async function runGroup(units: Unit[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      const connection = await connect();
      try {
        const db = await connection.begin();
        try {
          const [alone, ...more] = units;
          if (alone && more.length === 0) settle.push(await runAlone(db, alone));
          else for (const unit of units) settle.push(await runUnit(connection, db, unit));
          await connection.commit();
        } catch (error) {
          await connection.rollback();
          throw error;
        }
      } finally {
        disconnect(connection);
      }
    } catch (error) {
      for (const unit of units) unit.reject(error);
      return;
    }
    for (const settleUnit of settle) settleUnit();
  }

  /** The only one of its group needs no savepoint: when it throws, the whole transaction is rolled back. */
  async function runAlone(db: Database, unit: Unit): Promise<() => void> {
    const result = await unit.work(db);
    return () => unit.resolve(result);
  }

  async function runUnit(connection: WriterConnection, db: Database, unit: Unit): Promise<() => void> {
    await connection.savepoint();
    try {
      const result = await unit.work(db);
      await connection.releaseSavepoint();
      return () => unit.resolve(result);
    } catch (error) {
      await connection.rollbackToSavepoint();
      return () => unit.reject(error);
    }
  }
}
