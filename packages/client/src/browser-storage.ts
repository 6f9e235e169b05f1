/** The parts of the Web Storage API that we use. */
export interface BrowserStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface HasStorage {
  localStorage?: BrowserStorage;
  sessionStorage?: BrowserStorage;
}

/** Even reading the property throws where the browser forbids storage. */
export function storageOf(page: HasStorage, name: keyof HasStorage): BrowserStorage | undefined {
  try {
    return page[name];
  } catch {
    return undefined;
  }
}

/** Values that survive a reload if the browser allows it; otherwise they last as long as the tab. */
export interface StoredValues {
  get(key: string): string | null;
  set(key: string, value: string): void;
  delete(key: string): void;
  /** The keys with this prefix, sorted. */
  keys(prefix: string): string[];
}

/** Each value has its own key, so that two tabs never overwrite each other's. */
export function storedValues(storage: BrowserStorage | undefined): StoredValues {
  /** Values that the browser did not store, because it is full or forbids it. */
  const memory = new Map<string, string>();
  return {
    get: (key) => memory.get(key) ?? storage?.getItem(key) ?? null,
    set(key, value) {
      try {
        // Without a storage this throws, as it does when the storage is full.
        (storage as BrowserStorage).setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    delete(key) {
      memory.delete(key);
      storage?.removeItem(key);
    },
    keys(prefix) {
      const stored = [...Array(storage?.length ?? 0).keys()].map((index) => storage?.key(index) ?? "");
      return [...new Set([...memory.keys(), ...stored])].filter((key) => key.startsWith(prefix)).sort();
    },
  };
}

/** A value that is stored as JSON; undefined when there is none, or when something else has written it. */
export function storedJson<Value>(values: StoredValues, key: string): Value | undefined {
  const text = values.get(key);
  // Read with every rendering, and usually there is none: avoid throwing.
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
