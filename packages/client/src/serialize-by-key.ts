/** Runs tasks that share a key one after another, in the order they were requested; other tasks do not wait. */
export function serializeByKey<Result>(): (ids: readonly string[], act: () => Promise<Result>) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return async (ids, act) => {
    const before = ids.flatMap((id) => underWay.get(id) ?? []);
    const acting = before.length > 0 ? Promise.allSettled(before).then(act) : act();
    for (const id of ids) underWay.set(id, acting);
    try {
      return await acting;
    } finally {
      for (const id of ids) if (underWay.get(id) === acting) underWay.delete(id);
    }
  };
}
