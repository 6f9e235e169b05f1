import type { Bus } from "../events/bus.ts";
import type { LogBounds, LogEntry, LogPage, LogRequest, WantedDetail } from "../events/read-log.ts";
import { audienceOf, changesSessions, type Viewer, maySee } from "./audience.ts";
import { writeForTeam, writeForVisitor } from "./present-live-event.ts";

/** A feed that nobody has woken looks by itself: what a lost wake-up costs at most. */
const LOOK_MS = 2_000;
/** Events read at a time. */
const PAGE = 200;

/** Somebody who watches a team's log. */
export interface Watcher {
  viewer: Viewer;
  /** Everything up to this number has been sent. */
  at: number;
  /** Takes an event that is for this viewer. */
  send(frame: string): void;
  /** The visitor who watches may be another contact now, or nobody, or verified for a time. */
  recheck(): void;
}

/** A page of the log as one viewer sees it. */
export interface SeenPage extends Pick<LogPage, "through" | "isEnd"> {
  bounds: LogBounds;
  frames: { number: number; text: string }[];
}

/** Reads a page of a team's log; the surface is handed it, and reaches the storage by it alone. */
export type ReadLog = (teamId: string, request: LogRequest) => Promise<LogPage>;

/** The feeds of this process: one a team, while somebody watches it. */
export interface TeamFeeds {
  /** Begins to watch: nothing is sent before `join`. */
  open(teamId: string, watcher: Watcher): Seat;
  /** What a viewer sees of a team's log after `after`, a page of it. */
  read(teamId: string, viewer: Viewer, after: number): Promise<SeenPage>;
  stop(): void;
}

/** A watcher's place at a feed. */
export interface Seat {
  /** What the watcher sees of the log after `after`. */
  read(after: number): Promise<SeenPage>;
  /**
   * From here on the watcher is sent what comes. False when the feed is already beyond `watcher.at`: then it has to read
   * on first.
   */
  join(): boolean;
  leave(): void;
}

/**
 * ```
 *              somebody opens             the first joins: reads from where that one is
 *   (no feed) ----------------> waiting ------------------------------------------------> following
 *       ^                          |                                                       |    ^ |
 *       '--- the last one leaves --+-------------------------------------------------------'    | | woken, or 2 s
 *                                                                                               '-' have passed
 * ```
 * A feed reads the log once for all who watch, and writes an event once for all who see it alike. The log is the truth:
 * the bus only wakes (docs/decisions/0020-live-stream.md).
 *
 * @param onTrouble the log could not be read; it is tried again
 */
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
  /** So many frames with events have been handed to streams. */
  onSent(frames: number): void;
  lookMs?: number;
}): TeamFeeds {
  const feeds = new Map<string, Feed>();
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

  function createFeed(teamId: string): Feed {
    return newFeed({
      read: (request) => readLog(teamId, request),
      onTrouble,
      onSent,
      lookMs,
      onEmpty: () => feeds.delete(teamId),
    });
  }
}

type Feed = ReturnType<typeof newFeed>;

function newFeed({
  read,
  onTrouble,
  onSent,
  lookMs,
  onEmpty,
}: {
  read(request: LogRequest): Promise<LogPage>;
  onTrouble(error: unknown): void;
  onSent(frames: number): void;
  lookMs: number;
  onEmpty(): void;
}) {
  /** Those who have a seat, joined or not. */
  let seats = 0;
  const team = new Set<Watcher>();
  const visitors = new Map<string, Set<Watcher>>();
  /** Everything up to here has been handed to all who have joined. */
  let at = 0;
  let reading = false;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const isWatched = () => team.size > 0 || visitors.size > 0;

  return { open, wake, stop };

  function open(watcher: Watcher): Seat {
    seats += 1;
    let left = false;
    return {
      read: (after) => readAsSeen(read, watcher.viewer, after),
      join() {
        if (left || stopped) return true;
        if (isWatched() && watcher.at < at) return false;
        if (!isWatched()) at = watcher.at;
        add(watcher);
        // A wake-up may have come while nobody was there to be woken.
        wake();
        return true;
      },
      leave() {
        if (left) return;
        left = true;
        seats -= 1;
        remove(watcher);
        if (seats > 0) return;
        stop();
        onEmpty();
      },
    };
  }

  function add(watcher: Watcher): void {
    if (watcher.viewer.kind === "agent") {
      team.add(watcher);
      return;
    }
    const { contactId } = watcher.viewer;
    const same = visitors.get(contactId) ?? new Set();
    visitors.set(contactId, same.add(watcher));
  }

  function remove(watcher: Watcher): void {
    if (watcher.viewer.kind === "agent") {
      team.delete(watcher);
      return;
    }
    const { contactId } = watcher.viewer;
    const same = visitors.get(contactId);
    same?.delete(watcher);
    if (same?.size === 0) visitors.delete(contactId);
  }

  function wake(): void {
    again = true;
    if (!reading && isWatched()) void follow();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(timer);
  }

  async function follow(): Promise<void> {
    reading = true;
    clearTimeout(timer);
    try {
      while (again && !stopped && isWatched()) {
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
    const page = await read({ after: from, limit: PAGE, withBounds: false, wanted: wantedByAll });
    // Everybody may have left and somebody else come meanwhile, who begins elsewhere.
    if (at !== from) {
      again = true;
      return;
    }
    // Somebody has joined since it was asked what is wanted: it is read again, with what they want.
    if (page.entries.some(({ event, wanted }) => isMore(wantedByAll(event), wanted))) {
      again = true;
      return;
    }
    at = page.through;
    if (!page.isEnd) again = true;
    hand(page.entries);
    for (const watcher of team) watcher.at = Math.max(watcher.at, at);
    for (const same of visitors.values()) for (const watcher of same) watcher.at = Math.max(watcher.at, at);
  }

  function wantedByAll(event: { name: string; contact_id: string | null }): WantedDetail {
    const { visitor, team: scope } = audienceOf(event.name);
    if (team.size > 0 && scope !== "nobody") return detailFor(event.name, "agent");
    const isThere = visitor && event.contact_id !== null && visitors.has(event.contact_id);
    return isThere ? detailFor(event.name, "visitor") : NOTHING;
  }

  function hand(entries: readonly LogEntry[]): void {
    const isLast = lastOfEach(entries.filter(({ event }) => audienceOf(event.name).team !== "nobody"));
    let sent = 0;
    for (const entry of entries) {
      const { event } = entry;
      const audience = audienceOf(event.name);
      if (audience.team !== "nobody" && team.size > 0) {
        const text = writeForTeam(entry, isLast(entry));
        for (const watcher of [...team]) sent += handTo(watcher, event, text);
      }
      const same = audience.visitor && event.contact_id !== null && visitors.get(event.contact_id);
      if (same) {
        const text = writeForVisitor(entry);
        for (const watcher of [...same]) sent += handTo(watcher, event, text);
      }
      if (changesSessions(event.name) && event.contact_id !== null) {
        for (const watcher of [...(visitors.get(event.contact_id) ?? [])]) watcher.recheck();
      }
    }
    onSent(sent);
  }
}

async function readAsSeen(read: (request: LogRequest) => Promise<LogPage>, viewer: Viewer, after: number): Promise<SeenPage> {
  const { entries, bounds, through, isEnd } = await read({
    after,
    limit: PAGE,
    withBounds: true,
    ...(viewer.kind === "visitor" && { contactId: viewer.contactId }),
    wanted: (event) => (maySee(viewer, event) ? detailFor(event.name, viewer.kind) : NOTHING),
  });
  const seen = entries.filter(({ event }) => maySee(viewer, event));
  const isLast = lastOfEach(seen);
  const frames = seen.map((entry) => ({
    number: entry.event.number,
    text: viewer.kind === "visitor" ? writeForVisitor(entry) : writeForTeam(entry, isLast(entry)),
  }));
  if (!bounds) throw new Error("A log was read without its bounds.");
  return { frames, bounds, through, isEnd };
}

/** A watcher who was read for alone may be ahead of the feed. Answers how many frames were sent. */
function handTo(watcher: Watcher, event: LogEntry["event"], text: string): 0 | 1 {
  if (event.number <= watcher.at || !maySee(watcher.viewer, event)) return 0;
  watcher.at = event.number;
  watcher.send(text);
  return 1;
}

const NOTHING: WantedDetail = { message: false, conversation: "none" };

function detailFor(name: string, kind: Viewer["kind"]): WantedDetail {
  const { shows } = audienceOf(name);
  if (shows === "data") return NOTHING;
  return { message: shows === "message", conversation: kind === "agent" ? "whole" : "row" };
}

const conversationDetail = { none: 0, row: 1, whole: 2 } as const;

function isMore(wanted: WantedDetail, had: WantedDetail): boolean {
  if (wanted.message && !had.message) return true;
  return conversationDetail[wanted.conversation] > conversationDetail[had.conversation];
}

/** Whether an entry is the last one of its conversation among these. */
function lastOfEach(entries: readonly LogEntry[]): (entry: LogEntry) => boolean {
  const last = new Map(entries.map(({ event }) => [event.conversation_id, event.number]));
  return ({ event }) => last.get(event.conversation_id) === event.number;
}
