import { type LivePoll, liveClose } from "@frontdesk/core/contract/live";
import type { Bus } from "../events/bus.ts";
import type { StrangerBounds } from "../limits/stranger-bounds.ts";
import type { Logger } from "../logger.ts";
import type { Timeouts } from "../timeouts.ts";
import type { AiDrafts } from "./ai-drafts.ts";
import type { ConversationViewers } from "./conversation-viewers.ts";
import { createConnection, type LiveConnection } from "./live-connection.ts";
import type { Caller, StreamServices, Transport } from "./live-stream.ts";
import type { OwnReads } from "./own-reads.ts";
import { type PollPosition, pollLog } from "./poll-log.ts";
import type { Presence } from "./presence.ts";
import { streamAdmission } from "./stream-admission.ts";
import { type Credentials, identifySubscriber, type Subscriber, type SubscriberChecks } from "./subscriber.ts";
import { createTeamFeeds, type ReadLog } from "./team-feeds.ts";

/** How often to check whether a token may have ended. */
const CHECK_MS = 1_000;
/** How often tokens are checked although no version has changed: keys and sessions also expire by time. */
const CHECK_ALL_MS = 60_000;

export interface LiveParts {
  readLog: ReadLog;
  bus: Pick<Bus, "subscribe">;
  presence: Presence;
  conversationViewers: ConversationViewers;
  ownReads: OwnReads;
  aiDrafts: AiDrafts;
  epoch(): Promise<string>;
  authenticate: SubscriberChecks;
  /** What to do with an invalid token: it always throws. */
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  /** Changes when a key, or a team's access, has changed. */
  accessVersion(): string | undefined;
  bounds: StrangerBounds;
  timeouts: Timeouts;
  /** The time, ms since the epoch. */
  now(): number;
  logger: Logger;
  /** Called with the number of events sent. */
  onSent(events: number): void;
}

/** The streams of this process, whatever carries them. */
export interface LiveStreams {
  /** Begins a stream; it counts as open until `gone` is called. */
  connect(transport: Transport, caller: Caller): LiveConnection;
  /**
   * Takes a slot among the streams of an address, before the caller is known. Returns what releases it.
   *
   * @throws Refusal `rate-limited` when there are too many
   */
  enter(address: string): () => void;
  /** @throws Refusal when the token is not good for a stream, or too many are opened */
  admit(credentials: Credentials, address: string): Promise<Subscriber>;
  /** @throws Refusal when the token is not good for a stream */
  identifySubscriber(credentials: Credentials, address: string): Promise<Subscriber>;
  /** What was added since, for a client that no stream reaches. */
  poll(subscriber: Subscriber, address: string, asked: PollPosition): Promise<LivePoll>;
  /** How many streams are open, by transport. */
  open(): Record<Transport["kind"], number>;
  /** Closes every stream: the server stops. */
  closeAll(): void;
  stop(): void;
}

export function createLiveStreams(parts: LiveParts): LiveStreams {
  const { epoch, logger, presence, conversationViewers, ownReads, aiDrafts, bounds, timeouts, onSent } = parts;
  const onTrouble = (error: unknown) => logger.warn({ err: error }, "The live stream is delayed by an error.");
  const feeds = createTeamFeeds({ readLog: parts.readLog, bus: parts.bus, onTrouble, onSent });
  const { admit, identify, takeSlot, count } = streamAdmission(parts);
  const streams = new Map<LiveConnection, Transport["kind"]>();
  /** Not checked yet: their tokens may have ended at the moment at which they connected. */
  const fresh = new Set<LiveConnection>();
  let checking: NodeJS.Timeout | undefined;
  let checked: string | undefined;
  let checkedAt = parts.now();

  const services: StreamServices = {
    feeds,
    presence,
    conversationViewers,
    ownReads,
    aiDrafts,
    epoch,
    admit,
    identifySubscriber: (credentials) => identifySubscriber(parts.authenticate, credentials),
    takeSlot,
    count,
    timeouts,
    onSent,
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
    poll: (subscriber, address, asked) => pollLog({ feeds, epoch, count, onSent }, subscriber, address, asked),
    open() {
      const open = { websocket: 0, sse: 0 };
      for (const kind of streams.values()) open[kind] += 1;
      return open;
    },
    closeAll() {
      for (const connection of streams.keys()) connection.close(liveClose.stopping, "the server stops");
    },
    stop() {
      clearInterval(checking);
      feeds.stop();
    },
  };

  function checkAll(): void {
    let version: string | undefined;
    try {
      version = parts.accessVersion();
    } catch {
      // The storage is away: tried again at the next interval.
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
}
