import type { Storage } from "../storage/database.ts";

/** More of them in use at once than this are looked up anew; it bounds the memory, not the keys. */
const MOST_REMEMBERED = 10_000;

/**
 * Keeps what was looked up of keys and tokens in memory, as long as the storage's version of `access` stays the same: what
 * is revoked, paused or granted anew, in this process or another, is looked up anew.
 */
export function remembered<Known>(storage: Storage) {
  const known = new Map<string, Known>();
  let knownVersion: string | undefined;

  return {
    /** What is known under a name (the hash of a token), else what `lookUp` finds. What it throws is not kept. */
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
      // Not kept when something was announced since the look-up began: the row may be from before it.
      if (version !== undefined && version === storage.version("access") && version === knownVersion) {
        known.set(name, found);
      }
      return found;
    },
  };
}
