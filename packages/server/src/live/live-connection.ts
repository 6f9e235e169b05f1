import { type HelloFrame, type LiveCloseCode, liveClose, type ReadyFrame } from "@frontdesk/core/contract/live";
import { canonicalId } from "@frontdesk/core/domain/id";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { hasRunOut } from "@frontdesk/core/domain/visitor-identity";
import type { Viewer } from "./audience.ts";
import { clientFrames } from "./client-frames.ts";
import { frameSender } from "./frame-sender.ts";
import { type Caller, isClosed, type LiveStream, type StreamServices, type Transport } from "./live-stream.ts";
import { replayLog } from "./replay-log.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Watcher } from "./watchers.ts";

/** A client must say hello within this time. */
const HELLO_WITHIN_MS = 10_000;

export interface LiveConnection {
  /** A frame of the client. */
  receive(text: string): void;
  /** Says hello for a client whose request contained it, and was admitted with it. */
  begin(hello: HelloFrame, subscriber?: Subscriber): Promise<void>;
  /** Checks whether the token is still valid, if it can end, and closes with 4001 when it is not. */
  check(): Promise<void>;
  /** Whether the session of a verified visitor has expired, as far as is known here. */
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
 *                  no frame, or too many (4002); the token ends (4001) or is another contact's (4003); the widget
 *                  is removed (4004); the server stops (1012); the other side goes
 * ```
 * `client-frames.ts` handles what the client sends, `frame-sender.ts` sends to it, and `replay-log.ts` sends what it has
 * missed.
 */
export function createConnection(
  transport: Transport,
  { address, session, releaseSlot }: Caller,
  services: StreamServices,
): LiveConnection {
  const stream: LiveStream = {
    phase: "silent",
    address,
    credentials: undefined,
    subscriber: undefined,
    page: undefined,
    close,
  };
  const sender = frameSender(transport, stream);
  const { receive, publishPage } = clientFrames(stream, sender, services, (hello) => void begin(hello));
  const endings: (() => void)[] = [];
  const cancelHello = services.timeouts.after(HELLO_WITHIN_MS, () => close(liveClose.frame, "say hello first"));

  return {
    receive,
    begin,
    async check() {
      // The token of an unverified visitor does not expire.
      if (stream.subscriber?.viewer.kind === "visitor" && stream.subscriber.verifiedUntil === undefined) return;
      await recheck();
    },
    hasRunOut: (now) =>
      stream.subscriber?.verifiedUntil !== undefined && hasRunOut(stream.subscriber.verifiedUntil, now),
    close,
    gone: end,
  };

  async function begin(hello: HelloFrame, admitted?: Subscriber): Promise<void> {
    const { token, widget_id, present } = hello;
    // `HelloFrame` may leave out what is undefined here.
    const credentials = { token, widget_id, present, session } as NonNullable<LiveStream["credentials"]>;
    stream.credentials = credentials;
    try {
      const subscriber = admitted ?? (await services.admit(credentials, address));
      remember(stream, subscriber);
      if (subscriber.viewer.kind === "agent") releaseSlot();
      const epoch = await services.epoch();
      if (isClosed(stream)) return;
      cancelHello();
      endings.push(services.takeSlot(subscriber));
      stream.phase = "replaying";
      await goLive(subscriber, hello, epoch);
    } catch (error) {
      refuse(error);
    }
  }

  async function goLive(subscriber: Subscriber, hello: HelloFrame, epoch: string): Promise<void> {
    const { viewer } = subscriber;
    const watcher: Watcher = { viewer, at: 0, send: sender.sendText, recheck: () => void recheck(), widgetRemoved };
    const seat = services.feeds.open(subscriber.teamId, watcher);
    endings.push(seat.leave);
    if (!(await replayLog({ stream, subscriber, seat, watcher, sender, services }, hello, epoch))) return;
    stream.phase = "live";
    sender.send({ type: "ready", number: watcher.at, epoch } satisfies ReadyFrame);
    endings.push(
      services.presence.connect(subscriber, sender.send, (frame) => sender.sendPaced(JSON.stringify(frame))),
    );
    endings.push(...arrivals(services, subscriber, sender.send, () => watcher.at));
    publishPage(subscriber);
    // The session may have changed before this stream was among those that are rechecked.
    if (viewer.kind === "visitor") await recheck();
  }

  /** Looks up again to whom the stream belongs, and applies what has changed. */
  async function recheck(): Promise<void> {
    const { credentials, subscriber } = stream;
    if (!credentials || !subscriber || isClosed(stream)) return;
    try {
      const { verifiedUntil, isAway, isBlocked, viewer } = await services.identifySubscriber(credentials);
      subscriber.verifiedUntil = verifiedUntil;
      if (isAway !== subscriber.isAway) {
        subscriber.isAway = isAway;
        services.presence.awayChanged(subscriber);
      }
      if (isBlocked !== subscriber.isBlocked) {
        subscriber.isBlocked = isBlocked;
        if (isBlocked) services.presence.visits(subscriber, null);
        else publishPage(subscriber);
      }
      if (!isSameVisitor(subscriber.viewer, viewer)) close(liveClose.moved, "another contact");
    } catch (error) {
      if (error instanceof Refusal) refuse(error);
    }
  }

  /** Not looked up: the team of a widget is cached, and what is read may be older than the event. */
  function widgetRemoved(widgetId: string): void {
    if (canonicalId(stream.credentials?.widget_id ?? "") === widgetId) close(liveClose.gone, "the widget was removed");
  }

  function refuse(error: unknown): void {
    if (isClosed(stream)) return;
    if (error instanceof Refusal && !("retryAfterSeconds" in error.reason)) {
      const isGone = error.reason.name === "not-found";
      close(isGone ? liveClose.gone : liveClose.token, isGone ? "no such widget" : "not a valid token");
      return;
    }
    if (!(error instanceof Refusal)) services.onTrouble(error);
    close(liveClose.later, "try again later");
  }

  function close(code: LiveCloseCode, reason: string): void {
    if (isClosed(stream)) return;
    end();
    transport.close(code, reason);
  }

  function end(): void {
    if (isClosed(stream)) return;
    stream.phase = "closed";
    cancelHello();
    for (const ending of endings.splice(0)) ending();
  }
}

function isSameVisitor(viewer: Viewer, other: Viewer): boolean {
  return viewer.kind !== "visitor" || (other.kind === "visitor" && other.contactId === viewer.contactId);
}

/** The token of a session may be replaced while its stream is open. */
function remember(stream: LiveStream, subscriber: Subscriber): void {
  stream.subscriber = subscriber;
  const { credentials } = stream;
  if (credentials && credentials.token === undefined) {
    credentials.opened = { teamId: subscriber.teamId, sessionId: subscriber.key };
  }
}

/** A stream is live: it is sent what concerns its viewer at this moment. Returns what to call when it ends. */
const arrivals = (
  { conversationViewers, ownReads, aiDrafts }: StreamServices,
  subscriber: Subscriber,
  say: (frame: object) => void,
  at: () => number,
) => [
  conversationViewers.arrive(subscriber, say),
  ownReads.arrive(subscriber, say),
  aiDrafts.arrive(subscriber, say, at),
];
