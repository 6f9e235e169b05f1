import type { AskInbox } from "./agent-requests.ts";
import type { Clock } from "./clock.ts";
import type { LogPosition } from "./follow-log.ts";
import type { InboxStore } from "./inbox-store.ts";

/** What the parts of an agent's inbox share. */
export interface InboxContext {
  readonly store: InboxStore;
  readonly ask: AskInbox;
  readonly clock: Clock;
  /** The position up to which the log is applied; null until the first full fetch. Answers of another epoch are dropped. */
  position(): LogPosition | null;
  isOpen(): boolean;
  /** Runs it again after a wait, unless the inbox is closed by then. */
  retryLater(act: () => unknown): void;
  /**
   * Drops conversations that nothing on the screen refers to; with `more`, only once there are that many more than after the
   * last time.
   */
  dropUnlisted(more?: number): void;
}

/** The function, which does nothing when called again. */
export function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
