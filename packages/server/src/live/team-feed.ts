import { isMore, PAGE, type ReadTeamLog, readAsSeen, type SeenPage } from "./seen-page.ts";
import { createWatchers, type Watcher } from "./watchers.ts";

/** A watcher's seat at a feed. */
export interface Seat {
  /** What the watcher sees of the log after `after`. */
  read(after: number): Promise<SeenPage>;
  /**
   * From here on the watcher is sent new events. False when the feed is already beyond `watcher.at`: then it has to read on
   * first.
   */
  join(): boolean;
  leave(): void;
}

export interface TeamFeed {
  /** Begins to watch: nothing is sent before `join`. */
  open(watcher: Watcher): Seat;
  /** The log may have grown. */
  wake(): void;
  stop(): void;
}

export interface TeamFeedParts {
  read: ReadTeamLog;
  /** The log could not be read; it is tried again. */
  onTrouble(error: unknown): void;
  /** Called with the number of frames with events handed to streams. */
  onSent(frames: number): void;
  /** A feed that was not woken for this long looks by itself. */
  lookMs: number;
  /** The last seat was left. */
  onEmpty(): void;
}

/**
 * ```
 *              a stream opens            the first joins: reads from its number on
 *   (no feed) ----------------> waiting -------------------------------------------> following
 *       ^                          |                                                  |    ^ |
 *       '--- the last one leaves --+--------------------------------------------------'    | | woken, or 2 s
 *                                                                                          '-' have passed
 * ```
 * A feed reads the log once for all who watch it. The log is the truth: the bus only wakes
 * (docs/decisions/0020-live-stream.md).
 */
export function createTeamFeed({ read, onTrouble, onSent, lookMs, onEmpty }: TeamFeedParts): TeamFeed {
  /** Streams with a seat, joined or not. */
  let seats = 0;
  const watchers = createWatchers();
  /** Everything up to here has been handed to all joined watchers. */
  let at = 0;
  let reading = false;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  return { open, wake, stop };

  function open(watcher: Watcher): Seat {
    seats += 1;
    let left = false;
    return {
      read: (after) => readAsSeen(read, watcher.viewer, after),
      join() {
        if (left || stopped) return true;
        if (!watchers.isEmpty() && watcher.at < at) return false;
        if (watchers.isEmpty()) at = watcher.at;
        watchers.add(watcher);
        // A wake-up may have come before there was a watcher.
        wake();
        return true;
      },
      leave() {
        if (left) return;
        left = true;
        seats -= 1;
        watchers.remove(watcher);
        if (seats > 0) return;
        stop();
        onEmpty();
      },
    };
  }

  function wake(): void {
    again = true;
    if (!reading && !watchers.isEmpty()) void follow();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(timer);
  }

  async function follow(): Promise<void> {
    reading = true;
    clearTimeout(timer);
    try {
      while (again && !stopped && !watchers.isEmpty()) {
        again = false;
        await readOn();
      }
    } catch (error) {
      onTrouble(error);
    } finally {
      reading = false;
    }
    if (!stopped) timer = setTimeout(wake, lookMs).unref();
  }

  async function readOn(): Promise<void> {
    const from = at;
    const page = await read({ after: from, limit: PAGE, withBounds: false, wanted: watchers.wanted });
    // Meanwhile all may have left and another may have joined at another number, or one may have joined that needs more detail:
    // the page is read again.
    if (at !== from || page.entries.some(({ event, wanted }) => isMore(watchers.wanted(event), wanted))) {
      again = true;
      return;
    }
    at = page.through;
    if (!page.isEnd) again = true;
    onSent(watchers.handOut(page.entries, at));
  }
}
