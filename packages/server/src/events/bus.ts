import { noPubSub, type PubSub } from "../pub-sub.ts";

/**
 * Announces "team T has news" within the process, and by pub-sub to the others. It carries nothing else: what happened is in
 * the event log, so a lost wake-up costs latency and never a message (invariant 5).
 */
export interface Bus {
  publish(teamId: string): void;
  /** Calls `listener` for every team with news, until the returned function is called. */
  subscribe(listener: (teamId: string) => void): () => void;
}

const NEWS = "news";

export function createBus(pubSub: PubSub = noPubSub()): Bus {
  const listeners = new Set<(teamId: string) => void>();
  /** Published to other processes together: under load many commits of a team end at once. */
  let unpublished = new Set<string>();
  pubSub.subscribe(NEWS, (text) => text.split(",").forEach(wake));
  return {
    publish(teamId) {
      wake(teamId);
      if (unpublished.size === 0) setImmediate(publishUnpublished);
      unpublished.add(teamId);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function wake(teamId: string): void {
    for (const listener of listeners) listener(teamId);
  }

  function publishUnpublished(): void {
    const teamIds = unpublished;
    unpublished = new Set();
    pubSub.publish(NEWS, [...teamIds].join());
  }
}
