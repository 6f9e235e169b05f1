/**
 * The live stream of one tab or program (docs/decisions/0020-live-stream.md):
 *
 *                        +--------- wait over, wake() <---------+
 *                        v                                      |
 *   openLiveStream -> opening --first frame--> replaying --ready, reset fetched--> live
 *                        |                         |                                |
 *                        +---- closed, silent -----+------> waiting <---------------+
 *   any --4001, 4002, 4004, close()--> ended
 */
import { type Clock, retryLater } from "./clock.ts";
import type { LogFollower, LoggedEvent, LogPosition } from "./follow-log.ts";
import { startHeartbeat } from "./heartbeat.ts";
import {
  GONE,
  type Listener,
  type LiveConnection,
  MOVED,
  NOT_UNDERSTOOD,
  NOT_VALID,
  type PresenceToSend,
  type ServerFrame,
  type Transport,
} from "./live-transports.ts";

/** Timeout until a connection's first frame. */
const OPENING_MS = 10_000;
/** Failed attempts of the first transport before the next one is tried. */
const OPENINGS = 3;
/** A connection that was live this long resets the backoff; after shorter ones it keeps growing. */
const STEADY_MS = 10_000;
/** On a fallback, the time until the first transport is tried again; doubled each time, at most five times. */
const RETRY_FIRST_MS = 60_000;
const RETRY_DOUBLINGS_MAX = 5;

/**
 * `connecting` at first and after a loss; `offline` after a failed attempt, and after the end; `live` when nothing is missing.
 */
export type ConnectionState = "connecting" | "live" | "offline";

export interface LiveStream {
  /** Sends a presence frame; it is dropped where the transport cannot send. */
  send(frame: PresenceToSend): void;
  /** The network is back, or the tab is visible again: connects at once, or checks the connection. */
  wake(): void;
  close(): void;
}

export interface LiveStreamOptions<Event extends LoggedEvent, Presence extends { type: string }> {
  /** Omitted by signed-in agents, who have a cookie. */
  token?: string | undefined;
  /** Given by visitors. */
  widgetId?: string;
  /** For agents: whether a person uses this client. */
  present?: boolean;
  /** Keeps the state in sync; it knows the position to resume from. */
  follower: LogFollower<Event>;
  /** Best first. */
  transports: readonly [Transport, ...Transport[]];
  onConnection(state: ConnectionState): void;
  /** Typing and presence: they hold at this moment and are never replayed. */
  onPresence(presence: Presence): void;
  /** The token is not valid, the server did not understand us, or the widget is gone (4001, 4002, 4004): it does not reconnect. */
  onEnd(code: number): void;
  clock: Clock;
}

/** Connects, and reconnects until `close()`. */
export function openLiveStream<Event extends LoggedEvent, Presence extends { type: string }>({
  token,
  widgetId,
  present,
  follower,
  transports,
  onConnection,
  onPresence,
  onEnd,
  clock,
}: LiveStreamOptions<Event, Presence>): LiveStream {
  /** The open connection; undefined between connections. */
  let connection: LiveConnection | undefined;
  let send: LiveStream["send"] = () => {};
  let leave = () => {};
  let check = () => {};
  let cancelWait = () => {};
  let waiting = false;
  /** Consecutive connections that did not last. */
  let failures = 0;
  let level = 0;
  /** Consecutive failed attempts of the first transport. */
  let failedOpenings = 0;
  let retries = 0;
  /** The token now belongs to another contact: everything has to be fetched again. */
  let moved = false;

  connect();

  return {
    send: (frame) => send(frame),
    wake() {
      if (!waiting) return check();
      failures = 0;
      connect();
    },
    close: stop,
  };

  function stop(): void {
    cancelWait();
    leave();
    connection = undefined;
    send = leave = check = cancelWait = () => {};
    waiting = false;
  }

  function connect(): void {
    stop();
    let current = true;
    let opened = false;
    let liveSince: number | undefined;
    let cancelRetryFirst = () => {};
    const lost = (code = 0) => {
      if (!current) return;
      stop();
      if (code === NOT_VALID || code === NOT_UNDERSTOOD || code === GONE) {
        onConnection("offline");
        return onEnd(code);
      }
      moved ||= code === MOVED;
      if (!opened) fallBack();
      if (liveSince && clock.now() - liveSince >= STEADY_MS) failures = 0;
      waiting = true;
      cancelWait = retryLater(clock, connect, failures++);
      onConnection(opened ? "connecting" : "offline");
    };
    const cancelOpening = clock.after(OPENING_MS, () => opened || lost());
    const heartbeat = startHeartbeat(clock, () => connection?.send?.({ type: "ping" }), lost);
    leave = () => {
      current = false;
      cancelOpening();
      cancelRetryFirst();
      heartbeat.stop();
      connection?.close();
    };
    check = () => {
      if (connection?.send && opened) heartbeat.check();
    };

    const live = () => {
      if (!current || !ready || follower.fetching || liveSince) return;
      liveSince = clock.now();
      // Not earlier: the server does not know the client yet.
      send = (frame) => connection?.send?.(frame);
      if (!level) retries = 0;
      else cancelRetryFirst = clock.after(RETRY_FIRST_MS * 2 ** Math.min(retries++, RETRY_DOUBLINGS_MAX), retryFirst);
      onConnection("live");
    };
    /** Whether everything up to `ready` has arrived. */
    let ready = false;
    /** Whether this connection has requested the running fetch. */
    let asked = false;
    const reset = async () => {
      asked = true;
      if (await follower.reset()) {
        moved = false;
        live();
      } else lost();
    };

    const listener: Listener = {
      received: () => {
        if (current) heartbeat.received();
      },
      closed: lost,
      frame(text) {
        if (!current) return;
        const frame = read<Event, Presence>(text);
        if (!frame) return lost();
        opened = true;
        if (!level) failedOpenings = 0;
        switch (frame.type) {
          case "event":
            if (!follower.event(frame as Event)) reset();
            break;
          case "ready":
            ready = true;
            follower.ready(frame as LogPosition);
            if (!follower.position || moved || (follower.fetching && !asked)) reset();
            else live();
            break;
          case "reset":
            ready = false;
            reset();
            break;
          case "pong":
            break;
          default:
            onPresence(frame as Presence);
        }
      },
    };
    try {
      connection = (transports[level] as Transport)(hello, listener);
    } catch {
      // The page's content security policy may forbid a socket.
      lost();
    }
  }

  function hello() {
    const { number: since = null, epoch = null } = follower.position ?? {};
    return {
      token,
      widget_id: widgetId,
      present,
      since,
      epoch,
    };
  }

  /** When even the last transport fails, there is no network or no server, so the first is tried again. */
  function fallBack(): void {
    if (!level && ++failedOpenings < OPENINGS) return;
    level = (level + 1) % transports.length;
    failedOpenings = 0;
  }

  /** One failed attempt leads back to the fallback. */
  function retryFirst(): void {
    level = 0;
    failedOpenings = OPENINGS - 1;
    onConnection("connecting");
    connect();
  }
}

/** Undefined for invalid frames: a proxy answers in the service's place. */
function read<Event extends LoggedEvent, Presence>(text: string): ServerFrame<Event, Presence> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
