/** The conversations that are chosen for doing something with all of them. Another view begins with none. */
import { useSyncExternalStore } from "react";

let chosen: ReadonlySet<string> = new Set();
let last: string | undefined;
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  chosen = next;
  for (const listener of listeners) listener();
}

export function useChosen(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
}

/**
 * Chooses one, or leaves it. With `among`, all from the last one to it; without an id, all of `among`.
 */
export function choose(id: string | undefined, among?: readonly string[]): void {
  if (id === undefined) {
    set(new Set(among));
    return;
  }
  const next = new Set(chosen);
  const from = among && last !== undefined ? among.indexOf(last) : -1;
  if (among && from >= 0) {
    const to = among.indexOf(id);
    for (const each of among.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
  } else if (!next.delete(id)) next.add(id);
  last = id;
  set(next);
}

export function clearChosen(): void {
  last = undefined;
  if (chosen.size > 0) set(new Set());
}
