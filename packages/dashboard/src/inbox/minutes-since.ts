/** Whole minutes since a time, kept up to date. One timer serves all rows; a row renders again when its number changes. */
import { useCallback, useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;
/** A minute that has passed shows this much later at most. */
const TICK_MS = 5_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Never negative: the clocks of browser and service may differ. */
export function useMinutesSince(at: string): number {
  const now = useCallback(() => Math.max(0, Math.floor((Date.now() - Date.parse(at)) / MINUTE_MS)), [at]);
  return useSyncExternalStore(subscribe, now);
}
