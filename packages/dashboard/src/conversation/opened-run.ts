/** The run of the built-in AI that is shown: one dialog for the whole thread. */
import { useSyncExternalStore } from "react";

/** A run by its id; or the one that ended with a handoff, by the time of that. */
export type AskedRun = { id: string } | { conversationId: string; handedOverAt: string };

let opened: AskedRun | undefined;
const listeners = new Set<() => void>();

export function openRun(next: AskedRun | undefined): void {
  opened = next;
  for (const listener of listeners) listener();
}

export function useOpenedRun(): AskedRun | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
}
