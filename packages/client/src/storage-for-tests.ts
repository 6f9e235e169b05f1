import type { Browser } from "./browser.ts";
import type { BrowserStorage } from "./browser-storage.ts";

/** The shared storage of a browser as one tab sees it: each tab gets events for what the others store. */
export function tellingStorage(): Pick<Browser, "onStored"> & { storage: BrowserStorage } {
  const storage = browserStorage();
  const listeners = new Set<Parameters<Browser["onStored"]>[0]>();
  const tell = (key: string) => {
    for (const listener of listeners) listener({ key });
  };
  const { setItem, removeItem } = storage;
  storage.setItem = (key, value) => {
    setItem(key, value);
    setImmediate(tell, key);
  };
  storage.removeItem = (key) => {
    removeItem(key);
    setImmediate(tell, key);
  };
  return {
    storage,
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The storage of one browser: it outlives the tabs. */
export function browserStorage(): BrowserStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
