import { NAME_MAX } from "@frontdesk/core/contract/fields";
import {
  type ClientFrame,
  type HelloFrame,
  LIVE_FRAME_MAX_BYTES,
  type LiveCloseCode,
  type LivePage,
  liveClose,
  type PongFrame,
  type ReadyFrame,
  type ResetFrame,
} from "@frontdesk/core/contract/live";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { hasRunOut } from "@frontdesk/core/domain/visitor-identity";
import type { LogBounds } from "../events/read-log.ts";
import { REPLAY_MAX_BYTES } from "../limits/stranger-bounds.ts";
import type { Timers } from "../timers.ts";
import type { Viewer } from "./audience.ts";
import type { Presence } from "./presence.ts";
import { readFrame } from "./read-frame.ts";
import type { Seat, SeenPage, TeamFeeds, Watcher } from "./team-feed.ts";
import type { ConversationViewers } from "./conversation-viewers.ts";
import type { Credentials, Subscriber } from "./subscriber.ts";

/** A client says hello within this time. */
const HELLO_WITHIN_MS = 10_000;
/** Frames that a client may send, and in what time. */
const MOST_FRAMES = 30;
const FRAMES_WINDOW_MS = 10_000;
/** What waits to be taken by the other side: above it a live stream is closed. */
const MOST_WAITING_BYTES = 1_048_576;
/** In a replay the log is not read on while more than this waits. */
const REPLAY_AHEAD_BYTES = 262_144;

/** What carries the frames of one stream: a WebSocket, or an answer that does not end. */
export interface Transport {
  kind: "websocket" | "sse";
  /** @param taken called when it has left this process, or never will */
  send(frame: string, taken?: () => void): void;
  /** Bytes that are not on their way yet. */
  waiting(): number;
  close(code: LiveCloseCode, reason: string): void;
}

export interface StreamServices {
  feeds: TeamFeeds;
  presence: Presence;
  conversationViewers: ConversationViewers;
  /** Names the log that numbers are of. */
  epoch(): Promise<string>;
  /**
   * Whose a new stream is; counts it.
   *
   * @throws Refusal when the token is not good for a stream, or too many are opened
   */
  admit(credentials: Credentials, address: string): Promise<Subscriber>;
  /** @throws Refusal when the token is no longer good for a stream */
  identifySubscriber(credentials: Credentials): Promise<Subscriber>;
  /**
   * Takes a place among the streams of the same token and team.
   *
   * @throws Refusal when there are too many
   */
  takePlace(subscriber: Subscriber): () => void;
  /** Counts what a visitor's stream asks for; false when it is too much. */
  count(subscriber: Subscriber, address: string, act: "replays" | "page-frames" | "typing-frames"): Promise<boolean>;
  timers: Timers;
  /** So many events were sent. */
  onSent(events: number): void;
  /** Something of ours went wrong. */
  onTrouble(error: unknown): void;
}

/** Where a stream comes from. */
export interface Caller {
  address: string;
  /** What the cookie of a session holds, in a request from a page of our own. */
  session: string | undefined;
  /** Gives back the place among the streams of its address: agents do not count there. */
  leavePlace(): void;
}

export interface LiveConnection {
  /** A frame of the client. */
  receive(text: string): void;
  /** Says hello for a client that has said it in its request, and was admitted with it. */
  begin(hello: HelloFrame, subscriber?: Subscriber): Promise<void>;
  /** Looks whether the token is still good, where it can end, and closes with 4001 when it is not. */
  check(): Promise<void>;
  /** Whether what a verified visitor sees by has run out, as far as is known here. */
  hasRunOut(now: number): boolean;
  close(code: LiveCloseCode, reason: string): void;
  /** The other side has gone. */
  gone(): void;
}

/**
 * One stream, from its first frame to its end:
 *
 * ```
 *              hello, token is good           `ready`: all of the log is sent
 *   silent ---------------------------> replaying --------------------------> live
 *     |                                     |   `reset` first, when `since`     |
 *     | 10 s; a wrong token (4001);         |   is of another log               | 1 MiB waits (4008)
 *     | another frame (4002)                |                                   |
 *     '-------------------------------------+-----------------------------------+--> closed
 *                  no frame, or too many (4002); the token ends (4001) or is another contact's (4003); the server
 *                  stops (1012); the other side goes
 * ```
 * A replay waits for a slow reader; a live stream does not, and comes back with a replay.
 */
export function createConnection(
  transport: Transport,
  { address, session, leavePlace }: Caller,
  services: StreamServices,
): LiveConnection {
  let state: "silent" | "replaying" | "live" | "closed" = "silent";
  let credentials: Credentials | undefined;
  let subscriber: Subscriber | undefined;
  let seat: Seat | undefined;
  /** Where the visitor is; one that is told before the stream is live counts from then on. */
  let page: LivePage | undefined;
  const endings: (() => void)[] = [];
  let windowStart = 0;
  let frames = 0;
  const cancelHello = services.timers.after(HELLO_WITHIN_MS, () => close(liveClose.frame, "say hello first"));

  return { receive, begin, check, hasRunOut: hasRunOutAt, close, gone: end };

  function receive(text: string): void {
    if (isClosed()) return;
    if (tooMany()) {
      close(liveClose.frame, "too many frames");
    } else if (Buffer.byteLength(text) > LIVE_FRAME_MAX_BYTES) {
      close(liveClose.frame, "frame too large");
    } else {
      take(readFrame(text));
    }
  }

  function take(frame: ClientFrame | undefined): void {
    if (!frame) {
      close(liveClose.frame, "no frame");
    } else if (frame.type === "hello") {
      if (credentials) close(liveClose.frame, "hello was said");
      else void begin(frame);
    } else if (frame.type === "ping") {
      say({ type: "pong" } satisfies PongFrame);
    } else if (!credentials) {
      close(liveClose.frame, "say hello first");
    } else if (frame.type === "page") {
      page = { url: frame.url, title: [...frame.title].slice(0, NAME_MAX).join("") };
      countThen("page-frames", showPage);
    } else if (state !== "live" || !subscriber) {
      // Whoever is not live yet hears nothing either.
    } else if (frame.type === "viewing") {
      services.conversationViewers.views(subscriber, frame.conversation_id, frame.viewing);
    } else if (frame.type === "away") {
      subscriber.isIdle = frame.away;
      services.presence.awayChanged(subscriber);
    } else {
      countThen("typing-frames", (who) => services.presence.types(who, frame.conversation_id, frame.typing));
    }
  }

  /** What a visitor's stream says is dropped above its bounds, and while the team has blocked them; nothing tells them. */
  function countThen(act: "page-frames" | "typing-frames", say: (who: Subscriber) => void): void {
    const who = subscriber;
    if (state !== "live" || !who || who.isBlocked) return;
    if (who.viewer.kind === "agent") {
      say(who);
      return;
    }
    void services.count(who, address, act).then((passes) => {
      if (passes && !isClosed() && !who.isBlocked) say(who);
    });
  }

  function showPage(who: Subscriber): void {
    if (page && !who.isBlocked) services.presence.visits(who, page);
  }

  async function begin(hello: HelloFrame, admitted?: Subscriber): Promise<void> {
    const { token, widget_id, present } = hello;
    credentials = { token, widget_id, present, session } as Credentials;
    try {
      subscriber = admitted ?? (await services.admit(credentials, address));
      if (subscriber.viewer.kind === "agent") leavePlace();
      const epoch = await services.epoch();
      if (isClosed()) return;
      cancelHello();
      endings.push(services.takePlace(subscriber));
      state = "replaying";
      await replay(subscriber, hello, epoch);
    } catch (error) {
      refuse(error);
    }
  }

  async function replay(who: Subscriber, hello: HelloFrame, epoch: string): Promise<void> {
    const watcher: Watcher = { viewer: who.viewer, at: 0, send: sendLive, recheck: () => void recheck() };
    seat = services.feeds.open(who.teamId, watcher);
    endings.push(seat.leave);
    const since = hello.since ?? undefined;
    let read = await seat.read(since ?? Number.MAX_SAFE_INTEGER);
    watcher.at = read.through;
    const isNew = since === undefined;
    const isBeyond = !isNew && !isOfThisLog({ since, epoch: hello.epoch }, { ...read.bounds, epoch });
    if (isNew || isBeyond || !(await mayBeReplayed(who, read))) read = beginAnew(read, isNew);
    let replayed = 0;
    for (;;) {
      replayed += bytesOf(read.frames);
      if (who.viewer.kind === "visitor" && replayed > REPLAY_MAX_BYTES) {
        read = beginAnew(read, false);
        replayed = 0;
      }
      for (const { text } of read.frames) await sendInReplay(text);
      services.onSent(read.frames.length);
      if (isClosed()) return;
      if (read.isEnd && seat.join()) break;
      read = await seat.read(watcher.at);
      watcher.at = read.through;
    }
    state = "live";
    say({ type: "ready", number: watcher.at, epoch } satisfies ReadyFrame);
    endings.push(services.presence.connect(who, say, (frame) => sendInReplay(JSON.stringify(frame))));
    endings.push(services.conversationViewers.arrive(who, say));
    showPage(who);
    // The session may have changed before anybody would have told this stream.
    if (who.viewer.kind === "visitor") await recheck();

    /** Nothing of what came before is sent; the client fetches it anew, but where it has just come. */
    function beginAnew(read: SeenPage, isNew: boolean): SeenPage {
      const { current } = read.bounds;
      if (!isNew) say({ type: "reset", number: current, epoch } satisfies ResetFrame);
      watcher.at = current;
      return { ...read, frames: [], isEnd: true };
    }
  }

  /** A replay of nothing costs nothing; any other of a visitor is counted. */
  async function mayBeReplayed(who: Subscriber, { frames }: SeenPage): Promise<boolean> {
    return who.viewer.kind === "agent" || frames.length === 0 || services.count(who, address, "replays");
  }

  function sendInReplay(frame: string): Promise<void> | undefined {
    if (isClosed()) return undefined;
    if (transport.waiting() > REPLAY_AHEAD_BYTES) return new Promise((resolve) => transport.send(frame, resolve));
    transport.send(frame);
    return undefined;
  }

  function sendLive(frame: string): void {
    if (isClosed()) return;
    if (transport.waiting() > MOST_WAITING_BYTES) close(liveClose.slow, "too much waits");
    else transport.send(frame);
  }

  function say(frame: object): void {
    sendLive(JSON.stringify(frame));
  }

  async function check(): Promise<void> {
    // The token of a visitor for whom nobody has vouched does not end.
    if (subscriber?.viewer.kind === "visitor" && subscriber.verifiedUntil === undefined) return;
    await recheck();
  }

  async function recheck(): Promise<void> {
    if (!credentials || !subscriber || isClosed()) return;
    try {
      const again = await services.identifySubscriber(credentials);
      subscriber.verifiedUntil = again.verifiedUntil;
      if (again.isAway !== subscriber.isAway) {
        subscriber.isAway = again.isAway;
        services.presence.awayChanged(subscriber);
      }
      if (again.isBlocked !== subscriber.isBlocked) {
        subscriber.isBlocked = again.isBlocked;
        if (subscriber.isBlocked) services.presence.visits(subscriber, null);
        else showPage(subscriber);
      }
      if (!isSameVisitor(subscriber.viewer, again.viewer)) close(liveClose.moved, "another contact");
    } catch (error) {
      if (error instanceof Refusal) refuse(error);
    }
  }

  function hasRunOutAt(now: number): boolean {
    return subscriber?.verifiedUntil !== undefined && hasRunOut(subscriber.verifiedUntil, now);
  }

  function refuse(error: unknown): void {
    if (isClosed()) return;
    if (error instanceof Refusal && !("retryAfterSeconds" in error.reason)) {
      close(liveClose.token, "not a valid token");
      return;
    }
    if (!(error instanceof Refusal)) services.onTrouble(error);
    close(liveClose.later, "try again later");
  }

  function tooMany(): boolean {
    const now = performance.now();
    if (now - windowStart > FRAMES_WINDOW_MS) {
      windowStart = now;
      frames = 0;
    }
    frames += 1;
    return frames > MOST_FRAMES;
  }

  function close(code: LiveCloseCode, reason: string): void {
    if (isClosed()) return;
    end();
    transport.close(code, reason);
  }

  function end(): void {
    if (isClosed()) return;
    state = "closed";
    cancelHello();
    for (const ending of endings.splice(0)) ending();
  }

  /** Asked anew after each wait: the compiler would remember what it was before. */
  function isClosed(): boolean {
    return state === "closed";
  }
}

export function bytesOf(frames: SeenPage["frames"]): number {
  return frames.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0);
}

function isSameVisitor(viewer: Viewer, other: Viewer): boolean {
  return viewer.kind !== "visitor" || (other.kind === "visitor" && other.contactId === viewer.contactId);
}

/** Whether a client can go on from where it says that it is: the same log, and all after it is still there. */
export function isOfThisLog(
  asked: { since: number; epoch: string | null | undefined },
  { epoch, current, oldest }: LogBounds & { epoch: string },
): boolean {
  if (asked.epoch !== epoch || asked.since > current) return false;
  return asked.since === current || (oldest !== undefined && asked.since >= oldest - 1);
}
