import type { Storage } from "../storage/database.ts";

/** The size of the cache: more keys in use at once are read again each time. */
const MOST_REMEMBERED = 10_000;

/**
 * Caches what was read of keys and tokens in memory, as long as the storage's version of `access` stays the same: what is
 * revoked, paused or granted, in this process or another, is read again.
 */
export function remembered<Known>(storage: Storage) {
  const known = new Map<string, Known>();
  let knownVersion: string | undefined;

  return {
    /** What is cached under a name (the hash of a token), else what `lookUp` finds. What it throws is not cached. */
    async get(name: string, lookUp: () => Promise<Known>): Promise<Known> {
      const version = storage.version("access");
      if (version === undefined || version !== knownVersion) {
        known.clear();
        knownVersion = version;
      }
      const at = known.get(name);
      if (at !== undefined) return at;
      const found = await lookUp();
      if (known.size >= MOST_REMEMBERED) known.clear();
      // Not cached when something was announced since the read began: the row may be from before it.
      if (version !== undefined && version === storage.version("access") && version === knownVersion) {
        known.set(name, found);
      }
      return found;
    },
  };
}
