/** The parts of the browser's storage that we use. */
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

/** Reading the property alone throws where the browser forbids storage. */
export function storageOf(page: HasStorage, name: keyof HasStorage): BrowserStorage | undefined {
  try {
    return page[name];
  } catch {
    return undefined;
  }
}

/** Values that survive a reload where the browser lets us, and otherwise last as long as the tab. */
export interface StoredValues {
  get(key: string): string | null;
  set(key: string, value: string): void;
  delete(key: string): void;
  /** The keys that begin so, in their order. */
  keys(prefix: string): string[];
}

/** Each value has a key of its own, so that two tabs never write over each other's. */
export function storedValues(storage: BrowserStorage | undefined): StoredValues {
  /** What the browser would not take: it is full, or forbids it. */
  const memory = new Map<string, string>();
  return {
    get: (key) => memory.get(key) ?? storage?.getItem(key) ?? null,
    set(key, value) {
      try {
        // Where there is none, this fails as it does where there is no room.
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
