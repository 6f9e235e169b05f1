/**
 * One connection for all tabs of a browser. The tab that holds a lock has it (the leader) and forwards what it receives; when
 * it closes, the lock passes to the next. Each tab keeps its own state and its own position in the log, so the next leader
 * resumes from what it has applied itself. A tab that missed something fetches again.
 *
 * Without locks or channels, each tab has its own connection.
 */
import type { Browser } from "./browser.ts";
import { retryLater } from "./clock.ts";
import type { LoggedEvent, LogPosition } from "./follow-log.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { type ConnectionState, type LiveStream, type LiveStreamOptions, openLiveStream } from "./live-stream.ts";
import type { PresenceToSend } from "./live-transports.ts";

/** Messages between tabs. */
type TabMessage<Event, Presence> =
  // The leader has moved on, from `after` to `number`.
  | { type: "moved"; after: number; number: number; epoch: string; event: Event | null }
  | { type: "stands"; position: LogPosition | null; connection: ConnectionState }
  | { type: "moment"; moment: Presence }
  // To the leader.
  | { type: "ask" }
  | { type: "send"; frame: PresenceToSend };

export type SharedStreamOptions<Event extends LoggedEvent, Presence extends { type: string }> = LiveStreamOptions<
  Event,
  Presence
> &
  Pick<Browser, "locks" | "channel"> & {
    /** Tabs whose streams have the same name share one. */
    name: string;
  };

export function openSharedStream<Event extends LoggedEvent, Presence extends { type: string }>(
  options: SharedStreamOptions<Event, Presence>,
): LiveStream {
  const { name, locks, channel, follower, clock, onConnection, onPresence } = options;
  if (!locks || !channel) return openLiveStream(options);
  const tabChannel = channel(name);
  const broadcast = (message: TabMessage<Event, Presence>) => tabChannel.postMessage(message);
  /** Defined in the leading tab. */
  let stream: LiveStream | undefined;
  let connection: ConnectionState = "connecting";
  let closed = false;
  let releaseLock = () => {};
  let lockRequest = new AbortController();
  let cancelCatchUp = () => {};
  // A leader whose tab was suspended keeps its lock and sends nothing: then another tab steals the lock.
  const heartbeat = startHeartbeat(clock, ask, () => requestLock(true));
  follower.onStep = (after, event) => {
    if (stream && follower.position) broadcast({ type: "moved", after, ...follower.position, event });
  };
  tabChannel.onmessage = ({ data }) =>
    stream ? asLeader(data as TabMessage<Event, Presence>) : asFollower(data as TabMessage<Event, Presence>);
  requestLock(false);
  heartbeat.check();

  return {
    send: (frame) => (stream ? stream.send(frame) : broadcast({ type: "send", frame })),
    wake: () => (stream ? stream.wake() : heartbeat.check()),
    close() {
      closed = true;
      cancelCatchUp();
      heartbeat.stop();
      lockRequest.abort();
      stream?.close();
      stream = undefined;
      releaseLock();
      tabChannel.close();
    },
  };

  function ask(): void {
    broadcast({ type: "ask" });
  }

  function requestLock(steal: boolean): void {
    lockRequest.abort();
    lockRequest = new AbortController();
    let hasLock = false;
    const onLock = () => {
      if (closed) return;
      hasLock = true;
      lead();
      return new Promise<void>((resolve) => {
        releaseLock = resolve;
      });
    };
    locks?.request(name, steal ? { steal } : { signal: lockRequest.signal }, onLock).catch((error) => {
      if (closed) return;
      if (hasLock) follow();
      // Sandboxed frames have locks but may not use them.
      else if (error.name !== "AbortError") lead();
    });
  }

  function lead(): void {
    if (stream) return;
    heartbeat.stop();
    cancelCatchUp();
    stream = openLiveStream<Event, Presence>({
      ...options,
      onPresence(presence) {
        onPresence(presence);
        broadcast({ type: "moment", moment: presence });
      },
      onConnection: connectionChanged,
    });
  }

  /** Another tab has stolen the lock. */
  function follow(): void {
    stream?.close();
    stream = undefined;
    requestLock(false);
    heartbeat.check();
  }

  function connectionChanged(state: ConnectionState): void {
    connection = state;
    onConnection(state);
    if (stream) sendStatus();
  }

  function sendStatus(): void {
    broadcast({ type: "stands", position: follower.position, connection });
  }

  function asLeader(message: TabMessage<Event, Presence>): void {
    if (message.type === "ask") sendStatus();
    else if (message.type === "send") stream?.send(message.frame);
  }

  function asFollower(message: TabMessage<Event, Presence>): void {
    switch (message.type) {
      case "ask":
      case "send":
        return;
      case "moment":
        onPresence(message.moment);
        break;
      case "stands":
        connectionChanged(message.connection);
        if (message.position && message.connection === "live" && isBehind(message.position)) catchUp();
        break;
      case "moved":
        if (follower.fetching && message.event) follower.event(message.event);
        else if (isBehind({ number: message.after, epoch: message.epoch })) catchUp();
        else if (!message.event) follower.ready(message);
        else if (!follower.event(message.event)) catchUp();
    }
    heartbeat.received();
  }

  function isBehind({ number, epoch }: LogPosition): boolean {
    const { position } = follower;
    return position?.epoch !== epoch || position.number < number;
  }

  function catchUp(): void {
    cancelCatchUp();
    follower.reset().then((fetched) => {
      if (!fetched && !closed && !stream) cancelCatchUp = retryLater(clock, ask);
    });
  }
}
