/**
 * The live stream of one tab or program (docs/decisions/0020-live-stream.md):
 *
 *                        +--------- wait over, wake() <---------+
 *                        v                                      |
 *   openLiveStream -> opening --first frame--> replaying --ready, reset fetched--> live
 *                        |                         |                                |
 *                        +---- closed, silent -----+------> waiting <---------------+
 *   any --4001, 4002, close()--> ended
 */
import { type Clock, retryLater } from "./clock.ts";
import type { LogFollower, LoggedEvent, LogPosition } from "./follow-log.ts";
import { startHeartbeat } from "./heartbeat.ts";
import {
  type Listener,
  type LiveConnection,
  MOVED,
  type MomentToSend,
  NOT_UNDERSTOOD,
  NOT_VALID,
  type ServerFrame,
  type Transport,
} from "./live-transports.ts";

/** How long a connection may take until its first frame. */
const OPENING_MS = 10_000;
/** Openings of the first transport that may fail before the next is tried. */
const OPENINGS = 3;
/** A connection that was live for so long was a good one; after others the waits go on growing. */
const STEADY_MS = 10_000;
/** When a fallback is used, how long until the first transport is tried again; doubled each time, at most five times. */
const CLIMB_MS = 60_000;
const CLIMBS_MAX = 5;

/** `connecting` at first and after a loss; `offline` when an attempt has failed, and after the end; `live` when nothing is missing. */
export type ConnectionState = "connecting" | "live" | "offline";

export interface LiveStream {
  /** What happens at this moment: lost where the way does not carry it. */
  send(frame: MomentToSend): void;
  /** The network is back, or the tab is visible again: connects at once, or checks the connection. */
  wake(): void;
  close(): void;
}

export interface LiveStreamOptions<Event extends LoggedEvent, Moment extends { type: string }> {
  /** Left out by signed-in agents, who have a cookie. */
  token?: string | undefined;
  /** A visitor names the widget. */
  widgetId?: string;
  /** Of agents: whether a person sits here. */
  present?: boolean;
  /** What keeps the state in step; it knows where the stream goes on. */
  follower: LogFollower<Event>;
  /** Best first. */
  transports: readonly [Transport, ...Transport[]];
  onConnection(state: ConnectionState): void;
  /** Typing, presence: as it is at this moment, never replayed. */
  onMoment(moment: Moment): void;
  /** The token is not valid, or we are not understood (4001, 4002): the stream does not come back. */
  onEnd(code: number): void;
  clock: Clock;
}

/** Connects, and stays connected until `close()`. */
export function openLiveStream<Event extends LoggedEvent, Moment extends { type: string }>({
  token,
  widgetId,
  present,
  follower,
  transports,
  onConnection,
  onMoment,
  onEnd,
  clock,
}: LiveStreamOptions<Event, Moment>): LiveStream {
  /** Of the open connection; undefined between two of them. */
  let connection: LiveConnection | undefined;
  let send: LiveStream["send"] = () => {};
  let leave = () => {};
  let check = () => {};
  let cancelWait = () => {};
  let waiting = false;
  /** Connections that did not hold, in a row. */
  let failures = 0;
  let level = 0;
  /** Openings of the first transport that failed, in a row. */
  let unopened = 0;
  let climbs = 0;
  /** The token is another contact's now: what is shown has to be fetched anew. */
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
    let cancelClimb = () => {};
    const lost = (code = 0) => {
      if (!current) return;
      stop();
      if (code === NOT_VALID || code === NOT_UNDERSTOOD) {
        onConnection("offline");
        return onEnd(code);
      }
      moved ||= code === MOVED;
      if (!opened) stepDown();
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
      cancelClimb();
      heartbeat.stop();
      connection?.close();
    };
    check = () => {
      if (connection?.send && opened) heartbeat.check();
    };

    const live = () => {
      if (!current || !ready || follower.fetching || liveSince) return;
      liveSince = clock.now();
      // Not before: the server does not know yet who it is.
      send = (frame) => connection?.send?.(frame);
      if (!level) climbs = 0;
      else cancelClimb = clock.after(CLIMB_MS * 2 ** Math.min(climbs++, CLIMBS_MAX), climb);
      onConnection("live");
    };
    /** Whether everything up to `ready` has come. */
    let ready = false;
    /** Whether this connection has asked for what is being fetched. */
    let asked = false;
    const reset = async () => {
      asked = true;
      if (await follower.reset()) {
        moved = false;
        live();
      } else lost();
    };

    const listener: Listener = {
      heard: () => {
        if (current) heartbeat.heard();
      },
      closed: lost,
      frame(text) {
        if (!current) return;
        const frame = read<Event, Moment>(text);
        if (!frame) return lost();
        opened = true;
        if (!level) unopened = 0;
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
            onMoment(frame as Moment);
        }
      },
    };
    try {
      connection = (transports[level] as Transport)(hello, listener);
    } catch {
      // The page's own rules may forbid a socket.
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

  /** When not even the last way opens, there is no network or no server, and the first way is as good as any. */
  function stepDown(): void {
    if (!level && ++unopened < OPENINGS) return;
    level = (level + 1) % transports.length;
    unopened = 0;
  }

  /** One failed opening leads back down. */
  function climb(): void {
    level = 0;
    unopened = OPENINGS - 1;
    onConnection("connecting");
    connect();
  }
}

/** Undefined for what is no frame: something on the way answers in our place. */
function read<Event extends LoggedEvent, Moment>(text: string): ServerFrame<Event, Moment> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
