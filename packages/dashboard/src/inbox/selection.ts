/** The selected conversations, for bulk actions. Another view starts without a selection. */
import { useSyncExternalStore } from "react";

let selected: ReadonlySet<string> = new Set();
let last: string | undefined;
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  selected = next;
  for (const listener of listeners) listener();
}

export function useSelection(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => selected,
  );
}

/**
 * Toggles one. With `among`, selects the range from the last one to it; without an id, all of `among`.
 */
export function select(id: string | undefined, among?: readonly string[]): void {
  if (id === undefined) {
    set(new Set(among));
    return;
  }
  const next = new Set(selected);
  const from = among && last !== undefined ? among.indexOf(last) : -1;
  if (among && from >= 0) {
    const to = among.indexOf(id);
    for (const each of among.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
  } else if (!next.delete(id)) next.add(id);
  last = id;
  set(next);
}

/** Takes these out, if they are selected. */
export function deselect(ids: ReadonlySet<string>): void {
  const left = [...selected].filter((id) => !ids.has(id));
  if (left.length < selected.size) set(new Set(left));
}

export function clearSelection(): void {
  last = undefined;
  if (selected.size > 0) set(new Set());
}
