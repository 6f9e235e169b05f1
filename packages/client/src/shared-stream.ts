/**
 * One connection for all tabs of a browser. The tab that holds a lock has it (the leader) and passes on what comes; when
 * it goes, the lock goes to the next. Each tab keeps its own state and its own place in the log, so the next leader
 * goes on from what it has applied itself. A tab that was left out of something fetches anew.
 *
 * Where the browser has no locks or no channel, each tab has a connection of its own.
 */
import type { Browser } from "./browser.ts";
import { retryLater } from "./clock.ts";
import type { LoggedEvent, LogPosition } from "./follow-log.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { type ConnectionState, type LiveStream, type LiveStreamOptions, openLiveStream } from "./live-stream.ts";
import type { MomentToSend } from "./live-transports.ts";

/** What tabs send each other. */
type Told<Event, Moment> =
  // The leader has moved on, from `after` to `number`.
  | { type: "moved"; after: number; number: number; epoch: string; event: Event | null }
  | { type: "stands"; position: LogPosition | null; connection: ConnectionState }
  | { type: "moment"; moment: Moment }
  // To the leader.
  | { type: "ask" }
  | { type: "send"; frame: MomentToSend };

export type SharedStreamOptions<Event extends LoggedEvent, Moment extends { type: string }> = LiveStreamOptions<
  Event,
  Moment
> &
  Pick<Browser, "locks" | "channel"> & {
    /** Tabs whose streams have the same name share one. */
    name: string;
  };

export function openSharedStream<Event extends LoggedEvent, Moment extends { type: string }>(
  options: SharedStreamOptions<Event, Moment>,
): LiveStream {
  const { name, locks, channel, follower, clock, onConnection, onMoment } = options;
  if (!locks || !channel) return openLiveStream(options);
  const air = channel(name);
  const tell = (told: Told<Event, Moment>) => air.postMessage(told);
  /** In the tab that leads. */
  let stream: LiveStream | undefined;
  let connection: ConnectionState = "connecting";
  let closed = false;
  let free = () => {};
  let inLine = new AbortController();
  let cancelCatchUp = () => {};
  // A leader whose tab the system has put to sleep keeps its lock and says nothing: then the lock is taken from it.
  const heartbeat = startHeartbeat(clock, ask, () => standInLine(true));
  follower.onStep = (after, event) => {
    if (stream && follower.position) tell({ type: "moved", after, ...follower.position, event });
  };
  air.onmessage = ({ data }) =>
    stream ? asLeader(data as Told<Event, Moment>) : asFollower(data as Told<Event, Moment>);
  standInLine(false);
  heartbeat.check();

  return {
    send: (frame) => (stream ? stream.send(frame) : tell({ type: "send", frame })),
    wake: () => (stream ? stream.wake() : heartbeat.check()),
    close() {
      closed = true;
      cancelCatchUp();
      heartbeat.stop();
      inLine.abort();
      stream?.close();
      stream = undefined;
      free();
      air.close();
    },
  };

  function ask(): void {
    tell({ type: "ask" });
  }

  function standInLine(steal: boolean): void {
    inLine.abort();
    inLine = new AbortController();
    let mine = false;
    const held = () => {
      if (closed) return;
      mine = true;
      lead();
      return new Promise<void>((resolve) => {
        free = resolve;
      });
    };
    locks?.request(name, steal ? { steal } : { signal: inLine.signal }, held).catch((error) => {
      if (closed) return;
      if (mine) follow();
      // Sandboxed frames have locks and may not use them.
      else if (error.name !== "AbortError") lead();
    });
  }

  function lead(): void {
    if (stream) return;
    heartbeat.stop();
    cancelCatchUp();
    stream = openLiveStream<Event, Moment>({
      ...options,
      onMoment(moment) {
        onMoment(moment);
        tell({ type: "moment", moment });
      },
      onConnection: changed,
    });
  }

  /** The lock was taken from this tab. */
  function follow(): void {
    stream?.close();
    stream = undefined;
    standInLine(false);
    heartbeat.check();
  }

  function changed(state: ConnectionState): void {
    connection = state;
    onConnection(state);
    if (stream) stands();
  }

  function stands(): void {
    tell({ type: "stands", position: follower.position, connection });
  }

  function asLeader(told: Told<Event, Moment>): void {
    if (told.type === "ask") stands();
    else if (told.type === "send") stream?.send(told.frame);
  }

  function asFollower(told: Told<Event, Moment>): void {
    switch (told.type) {
      case "ask":
      case "send":
        return;
      case "moment":
        onMoment(told.moment);
        break;
      case "stands":
        changed(told.connection);
        if (told.position && told.connection === "live" && isBehind(told.position)) catchUp();
        break;
      case "moved":
        if (follower.fetching && told.event) follower.event(told.event);
        else if (isBehind({ number: told.after, epoch: told.epoch })) catchUp();
        else if (!told.event) follower.ready(told);
        else if (!follower.event(told.event)) catchUp();
    }
    heartbeat.heard();
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
