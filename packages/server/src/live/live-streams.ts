import { type LiveCloseCode, type LivePoll, liveClose } from "@frontdesk/core/contract/live";
import type { Bus } from "../events/bus.ts";
import type { Logger } from "../logger.ts";
import {
  type Caller,
  createConnection,
  isOfThisLog,
  type LiveConnection,
  type StreamServices,
  type Transport,
} from "./live-connection.ts";
import type { Presence } from "./presence.ts";
import { createTeamFeeds, type ReadLog } from "./team-feed.ts";
import type { Viewers } from "./viewers.ts";
import { type Introduction, type Listener, type ListenerChecks, whoListens } from "./who-listens.ts";

/** Streams at once, of one visitor and of one API key. */
const MOST_OF_VISITOR = 20;
const MOST_OF_KEY = 100;
/** How often it is asked whether a token may have ended. */
const CHECK_MS = 1_000;
/** How often tokens are looked at again although nothing says so: keys and sessions end with time, too. */
const CHECK_ALL_MS = 60_000;

export interface LiveParts {
  readLog: ReadLog;
  bus: Pick<Bus, "subscribe">;
  presence: Presence;
  viewers: Viewers;
  epoch(): Promise<string>;
  authenticate: ListenerChecks;
  /** What to do with a token that is none: it always throws. */
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  /** Becomes another one when a key, or a team's access, is no longer what it was. */
  accessVersion(): string | undefined;
  /** The moment, ms since the epoch. */
  now(): number;
  logger: Logger;
  /** So many events were sent. */
  onSent(events: number): void;
}

/** The streams of this process, whatever carries them. */
export interface LiveStreams {
  /** A stream begins; it is one of those that are open until `gone` is called. */
  connect(transport: Transport, caller: Caller): LiveConnection;
  /** @throws Refusal when the token is not good for a stream */
  whoListens(introduction: Introduction, address: string): Promise<Listener>;
  /** What has come since, for a client that no stream reaches. */
  poll(listener: Listener, asked: { since: number | undefined; epoch: string | undefined }): Promise<LivePoll>;
  /** How many streams are open, by transport. */
  open(): Record<Transport["kind"], number>;
  /** Closes every stream: the server stops. */
  closeAll(): void;
  stop(): void;
}

export function createLiveStreams(parts: LiveParts): LiveStreams {
  const { epoch, authenticate, wrongKey, logger, presence, viewers } = parts;
  const onTrouble = (error: unknown) => logger.warn({ err: error }, "The live stream is held up by a fault");
  const feeds = createTeamFeeds({ readLog: parts.readLog, bus: parts.bus, onTrouble, onSent: parts.onSent });
  const streams = new Map<LiveConnection, Transport["kind"]>();
  /** Those that nobody has looked at again: their tokens may have ended in the moment in which they came. */
  const fresh = new Set<LiveConnection>();
  const places = new Map<string, number>();
  let checking: NodeJS.Timeout | undefined;
  let checked: string | undefined;
  let checkedAt = parts.now();

  const services: StreamServices = {
    feeds,
    presence,
    viewers,
    epoch,
    // A stream that is looked at again has no address to count a wrong key against.
    whoListens: (introduction, address) =>
      whoListens(authenticate, introduction).catch((error) => {
        if (address === undefined) throw error;
        return wrongKey(error, address);
      }),
    takePlace,
    onSent: parts.onSent,
    onTrouble,
  };

  return {
    connect(transport, caller) {
      const connection = createConnection(transport, caller, services);
      const gone = () => {
        streams.delete(connection);
        fresh.delete(connection);
        connection.gone();
        if (streams.size > 0) return;
        clearInterval(checking);
        checking = undefined;
      };
      streams.set(connection, transport.kind);
      fresh.add(connection);
      checking ??= setInterval(checkAll, CHECK_MS).unref();
      return { ...connection, gone };
    },
    whoListens: services.whoListens,
    poll,
    open() {
      const open = { websocket: 0, sse: 0 };
      for (const kind of streams.values()) open[kind] += 1;
      return open;
    },
    closeAll: () => closeAll(liveClose.stopping, "the server stops"),
    stop() {
      clearInterval(checking);
      feeds.stop();
    },
  };

  async function poll(
    { teamId, eye }: Listener,
    asked: { since: number | undefined; epoch: string | undefined },
  ): Promise<LivePoll> {
    const [page, name] = await Promise.all([feeds.read(teamId, eye, asked.since ?? Number.MAX_SAFE_INTEGER), epoch()]);
    const { since } = asked;
    const { current } = page.bounds;
    const isFirst = since === undefined;
    if (isFirst || !isOfThisLog({ since, epoch: asked.epoch }, { ...page.bounds, epoch: name })) {
      const reset = { type: "reset", number: current, epoch: name } as const;
      const ready = { type: "ready", number: current, epoch: name } as const;
      return { frames: isFirst ? [ready] : [reset, ready], has_more: false };
    }
    const events = page.frames.map(({ text }) => JSON.parse(text));
    parts.onSent(events.length);
    return { frames: [...events, { type: "ready", number: page.through, epoch: name }], has_more: !page.isEnd };
  }

  function takePlace({ key, eye }: Listener): (() => void) | undefined {
    const taken = places.get(key) ?? 0;
    if (taken >= (eye.kind === "visitor" ? MOST_OF_VISITOR : MOST_OF_KEY)) return undefined;
    places.set(key, taken + 1);
    return () => {
      const left = (places.get(key) ?? 1) - 1;
      if (left > 0) places.set(key, left);
      else places.delete(key);
    };
  }

  function checkAll(): void {
    let version: string | undefined;
    try {
      version = parts.accessVersion();
    } catch {
      // The storage is away: the next look finds out.
      return;
    }
    const now = parts.now();
    const isDue = now - checkedAt >= CHECK_ALL_MS || now < checkedAt;
    const hasChanged = isDue || version === undefined || version !== checked;
    if (isDue) checkedAt = now;
    for (const connection of streams.keys()) {
      if (hasChanged || fresh.has(connection) || connection.hasRunOut(now)) void connection.check();
    }
    checked = version;
    fresh.clear();
  }

  function closeAll(code: LiveCloseCode, reason: string): void {
    for (const connection of streams.keys()) connection.close(code, reason);
  }
}
