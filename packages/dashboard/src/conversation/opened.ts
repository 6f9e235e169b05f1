import { useSyncExternalStore } from "react";

/**
 * What is open over the thread, one of its kind: a dialog, a menu. It outlives the row that it was opened from.
 *
 * @returns what opens another one, or closes it with undefined, and the hook that tells which is open
 */
export function createOpened<Thing>(): [open: (next: Thing | undefined) => void, useOpened: () => Thing | undefined] {
  let opened: Thing | undefined;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const open = (next: Thing | undefined) => {
    opened = next;
    for (const listener of listeners) listener();
  };
  return [open, () => useSyncExternalStore(subscribe, () => opened)];
}
