import { type LiveCloseCode, type LivePoll, liveClose } from "@frontdesk/core/contract/live";
import { Refusal, rateLimited } from "@frontdesk/core/domain/refusal";
import type { Bus } from "../events/bus.ts";
import { REPLAY_MAX_BYTES, type StrangerAct, type StrangerBounds } from "../limits/stranger-bounds.ts";
import type { Logger } from "../logger.ts";
import type { Timers } from "../timers.ts";
import {
  bytesOf,
  type Caller,
  createConnection,
  isOfThisLog,
  type LiveConnection,
  type StreamServices,
  type Transport,
} from "./live-connection.ts";
import type { Presence } from "./presence.ts";
import { createTeamFeeds, type ReadLog } from "./team-feed.ts";
import type { ConversationViewers } from "./conversation-viewers.ts";
import { type Credentials, isVisitorToken, type Subscriber, type SubscriberChecks, identifySubscriber } from "./subscriber.ts";

/** Streams at once, of one API key or session; those of visitors stand in the table of bounds. */
const MOST_OF_KEY = 100;
/** After so many seconds a place may be free. */
const PLACE_RETRY_SECONDS = 5;
/** How often it is asked whether a token may have ended. */
const CHECK_MS = 1_000;
/** How often tokens are looked at again although nothing says so: keys and sessions end with time, too. */
const CHECK_ALL_MS = 60_000;

export interface LiveParts {
  readLog: ReadLog;
  bus: Pick<Bus, "subscribe">;
  presence: Presence;
  conversationViewers: ConversationViewers;
  epoch(): Promise<string>;
  authenticate: SubscriberChecks;
  /** What to do with a token that is none: it always throws. */
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  /** Becomes another one when a key, or a team's access, is no longer what it was. */
  accessVersion(): string | undefined;
  bounds: StrangerBounds;
  timers: Timers;
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
  /**
   * Takes a place among the streams of an address, before anything is known of the caller. Answers what gives it back.
   *
   * @throws Refusal `rate-limited` when there are too many
   */
  enter(address: string): () => void;
  /** @throws Refusal when the token is not good for a stream, or too many are opened */
  admit(credentials: Credentials, address: string): Promise<Subscriber>;
  /** @throws Refusal when the token is not good for a stream */
  identifySubscriber(credentials: Credentials, address: string): Promise<Subscriber>;
  /** What has come since, for a client that no stream reaches. */
  poll(
    subscriber: Subscriber,
    address: string,
    asked: { since: number | undefined; epoch: string | undefined },
  ): Promise<LivePoll>;
  /** How many streams are open, by transport. */
  open(): Record<Transport["kind"], number>;
  /** Closes every stream: the server stops. */
  closeAll(): void;
  stop(): void;
}

export function createLiveStreams(parts: LiveParts): LiveStreams {
  const { epoch, authenticate, wrongKey, logger, presence, conversationViewers, bounds, timers } = parts;
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
    conversationViewers,
    epoch,
    admit,
    identifySubscriber: (credentials) => identifySubscriber(authenticate, credentials),
    takePlace,
    count,
    timers,
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
    enter: (address) => bounds.enter({ address }, "streams"),
    admit,
    identifySubscriber: identify,
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

  async function admit(credentials: Credentials, address: string): Promise<Subscriber> {
    // By address first: what is not known yet is looked up only so often.
    if (isVisitorToken(credentials.token)) await bounds.take({ address }, { hellos: 1 });
    const subscriber = await identify(credentials, address);
    if (subscriber.viewer.kind === "visitor") await bounds.take({ token: subscriber.key }, { hellos: 1 });
    return subscriber;
  }

  async function identify(credentials: Credentials, address: string): Promise<Subscriber> {
    try {
      return await identifySubscriber(authenticate, credentials);
    } catch (error) {
      if (!isVisitorToken(credentials.token)) return wrongKey(error, address);
      if (error instanceof Refusal && error.reason.name === "not-authenticated") {
        await bounds.take({ address }, { "unknown-tokens": 1 });
      }
      throw error;
    }
  }

  function count({ key }: Subscriber, address: string, act: StrangerAct): Promise<boolean> {
    return bounds.take({ address, token: key }, { [act]: 1 }).then(
      () => true,
      () => false,
    );
  }

  async function poll(
    subscriber: Subscriber,
    address: string,
    asked: { since: number | undefined; epoch: string | undefined },
  ): Promise<LivePoll> {
    const { teamId, viewer } = subscriber;
    const [page, name] = await Promise.all([feeds.read(teamId, viewer, asked.since ?? Number.MAX_SAFE_INTEGER), epoch()]);
    const { since } = asked;
    const { current } = page.bounds;
    const isFirst = since === undefined;
    if (
      isFirst ||
      !isOfThisLog({ since, epoch: asked.epoch }, { ...page.bounds, epoch: name }) ||
      (await isTooMuch())
    ) {
      const reset = { type: "reset", number: current, epoch: name } as const;
      const ready = { type: "ready", number: current, epoch: name } as const;
      return { frames: isFirst ? [ready] : [reset, ready], has_more: false };
    }
    const events = page.frames.map(({ text }) => JSON.parse(text));
    parts.onSent(events.length);
    return { frames: [...events, { type: "ready", number: page.through, epoch: name }], has_more: !page.isEnd };

    /** A page that is not the last is a replay; those of visitors are bounded. */
    async function isTooMuch(): Promise<boolean> {
      if (viewer.kind === "agent") return false;
      return bytesOf(page.frames) > REPLAY_MAX_BYTES || (!page.isEnd && !(await count(subscriber, address, "replays")));
    }
  }

  function takePlace({ key, viewer, teamId }: Subscriber): () => void {
    if (viewer.kind === "visitor") return bounds.enter({ token: key, team: teamId }, "streams");
    const taken = places.get(key) ?? 0;
    if (taken >= MOST_OF_KEY) throw rateLimited(PLACE_RETRY_SECONDS);
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
