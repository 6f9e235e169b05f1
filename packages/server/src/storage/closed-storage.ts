import { type Storage, StorageUnavailable } from "./database.ts";

/**
 * The same storage, which refuses calls after `close`. When the process ends, a request whose client has left is not awaited,
 * so its operation may still arrive here: it changes nothing, and is no error.
 */
export function refuseOnceClosed(storage: Storage): Storage {
  let closed: Promise<void> | undefined;
  function whileOpen<T>(ask: () => Promise<T>): Promise<T> {
    return closed ? Promise.reject(new StorageUnavailable("The storage is closed: the process is ending.")) : ask();
  }
  return {
    ...storage,
    first: (statement, params) => whileOpen(() => storage.first(statement, params)),
    read: (work) => whileOpen(() => storage.read(work)),
    write: (teamId, work) => whileOpen(() => storage.write(teamId, work)),
    check: () => whileOpen(() => storage.check()),
    purgeDeleted: () => whileOpen(() => storage.purgeDeleted()),
    clock: () => whileOpen(() => storage.clock()),
    close() {
      closed ??= storage.close();
      return closed;
    },
  };
}
