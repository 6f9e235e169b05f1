/**
 * Says "team T has news" within the process. It carries nothing else: what happened is in the event log, so a lost
 * wake-up costs latency and never a message (invariant 5).
 */
export interface Bus {
  publish(teamId: string): void;
  /** Calls `listener` for every team with news, until the returned function is called. */
  subscribe(listener: (teamId: string) => void): () => void;
}

export function createBus(): Bus {
  const listeners = new Set<(teamId: string) => void>();
  return {
    publish(teamId) {
      for (const listener of listeners) listener(teamId);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
