import type { Bus } from "../events/bus.ts";
import type { LogPage, LogRequest } from "../events/read-log.ts";
import type { Viewer } from "./audience.ts";
import { readAsSeen, type SeenPage } from "./seen-page.ts";
import { createTeamFeed, type Seat, type TeamFeed } from "./team-feed.ts";
import type { Watcher } from "./watchers.ts";

/** The highest latency that a lost wake-up causes. */
const LOOK_MS = 2_000;

/** Reads a page of a team's log; the only access to the storage that this surface has. */
export type ReadLog = (teamId: string, request: LogRequest) => Promise<LogPage>;

/** The feeds of this process: one a team, while it has a watcher. */
export interface TeamFeeds {
  /** Begins to watch: nothing is sent before `join`. */
  open(teamId: string, watcher: Watcher): Seat;
  /** What a viewer sees of a page of a team's log after `after`. */
  read(teamId: string, viewer: Viewer, after: number): Promise<SeenPage>;
  stop(): void;
}

/** @param onTrouble the log could not be read; it is tried again */
export function createTeamFeeds({
  readLog,
  bus,
  onTrouble,
  onSent,
  lookMs = LOOK_MS,
}: {
  readLog: ReadLog;
  bus: Pick<Bus, "subscribe">;
  onTrouble(error: unknown): void;
  /** Called with the number of frames with events handed to streams. */
  onSent(frames: number): void;
  lookMs?: number;
}): TeamFeeds {
  const feeds = new Map<string, TeamFeed>();
  const unsubscribe = bus.subscribe((teamId) => feeds.get(teamId)?.wake());

  return {
    open(teamId, watcher) {
      const feed = feeds.get(teamId) ?? createFeed(teamId);
      feeds.set(teamId, feed);
      return feed.open(watcher);
    },
    read: (teamId, viewer, after) => readAsSeen((request) => readLog(teamId, request), viewer, after),
    stop() {
      unsubscribe();
      for (const feed of feeds.values()) feed.stop();
      feeds.clear();
    },
  };

  function createFeed(teamId: string): TeamFeed {
    return createTeamFeed({
      read: (request) => readLog(teamId, request),
      onTrouble,
      onSent,
      lookMs,
      onEmpty: () => feeds.delete(teamId),
    });
  }
}
