import type { AskInbox } from "./agent-requests.ts";
import type { Clock } from "./clock.ts";
import type { LogPosition } from "./follow-log.ts";
import type { InboxStore } from "./inbox-store.ts";

/** What the parts of an agent's inbox share. */
export interface InboxContext {
  readonly store: InboxStore;
  readonly ask: AskInbox;
  readonly clock: Clock;
  /** Up to where the log is applied; null until everything was fetched once. Answers of another epoch are dropped. */
  position(): LogPosition | null;
  isOpen(): boolean;
  /** Does it again after a wait, unless the inbox is closed by then. */
  retryLater(act: () => unknown): void;
  /** Drops conversations that nothing on the screen refers to; with `more`, once there are so many more than after the last time. */
  dropUnlisted(more?: number): void;
}

/** The function, which does nothing when it is called again. */
export function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
