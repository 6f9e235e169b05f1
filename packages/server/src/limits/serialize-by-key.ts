/**
 * Runs the work of each key one after another, in the order in which it was added; work of different keys runs in parallel. A
 * key without work costs no memory.
 */
export function serializeByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const done = before ? before.then(work, work) : work();
    last.set(key, done);
    try {
      return await done;
    } finally {
      if (last.get(key) === done) last.delete(key);
    }
  };
}
