import { type Storage, StorageUnavailable } from "./database.ts";

/**
 * The same storage, which refuses what is asked after `close` was called. A request whose client has gone is not waited
 * for when the process ends, so its operation may still come here then: it changes nothing, and is no fault.
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
    clock: () => whileOpen(() => storage.clock()),
    close() {
      closed ??= storage.close();
      return closed;
    },
  };
}
