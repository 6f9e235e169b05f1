import { NAME_MAX } from "@frontdesk/core/contract/fields";
import {
  type ClientFrame,
  type HelloFrame,
  LIVE_FRAME_MAX_BYTES,
  liveClose,
  type PongFrame,
} from "@frontdesk/core/contract/live";
import type { FrameSender } from "./frame-sender.ts";
import { isClosed, type LiveStream, type StreamServices } from "./live-stream.ts";
import { readFrame } from "./read-frame.ts";
import type { Subscriber } from "./subscriber.ts";

/** How many frames a client may send, and in what time. */
const MOST_FRAMES = 30;
const FRAMES_WINDOW_MS = 10_000;

export interface ClientFrames {
  /** Handles a frame of the client; an invalid one, or one too many, closes the stream. */
  receive(text: string): void;
  /** Passes the visitor's page to presence. */
  publishPage(subscriber: Subscriber): void;
}

/** @param onHello the first frame of a stream */
export function clientFrames(
  stream: LiveStream,
  { send }: Pick<FrameSender, "send">,
  services: Pick<StreamServices, "presence" | "conversationViewers" | "count">,
  onHello: (hello: HelloFrame) => void,
): ClientFrames {
  const isOverRate = frameRate();

  return { receive, publishPage };

  function receive(text: string): void {
    if (isClosed(stream)) return;
    if (isOverRate()) {
      stream.close(liveClose.frame, "too many frames");
    } else if (Buffer.byteLength(text) > LIVE_FRAME_MAX_BYTES) {
      stream.close(liveClose.frame, "frame too large");
    } else {
      take(readFrame(text));
    }
  }

  function take(frame: ClientFrame | undefined): void {
    if (!frame) {
      stream.close(liveClose.frame, "no frame");
    } else if (frame.type === "hello") {
      if (stream.credentials) stream.close(liveClose.frame, "hello was said");
      else onHello(frame);
    } else if (frame.type === "ping") {
      send({ type: "pong" } satisfies PongFrame);
    } else if (!stream.credentials) {
      stream.close(liveClose.frame, "say hello first");
    } else if (frame.type === "page") {
      stream.page = { url: frame.url, title: [...frame.title].slice(0, NAME_MAX).join("") };
      countThen("page-frames", publishPage);
    } else if (stream.phase === "live" && stream.subscriber) {
      takeLive(frame, stream.subscriber);
    }
  }

  /** Frames that concern other streams of the team are dropped before this stream is live. */
  function takeLive(
    frame: Extract<ClientFrame, { type: "viewing" | "away" | "typing" }>,
    subscriber: Subscriber,
  ): void {
    if (frame.type === "viewing") {
      services.conversationViewers.views(subscriber, frame.conversation_id, frame.viewing);
    } else if (frame.type === "away") {
      subscriber.isIdle = frame.away;
      services.presence.awayChanged(subscriber);
    } else {
      countThen("typing-frames", (who) => services.presence.types(who, frame.conversation_id, frame.typing));
    }
  }

  /** Frames of a visitor are dropped without an answer above their bounds, and while the team has blocked the visitor. */
  function countThen(act: "page-frames" | "typing-frames", publish: (subscriber: Subscriber) => void): void {
    const { subscriber } = stream;
    if (stream.phase !== "live" || !subscriber || subscriber.isBlocked) return;
    if (subscriber.viewer.kind === "agent") {
      publish(subscriber);
      return;
    }
    void services.count(subscriber, stream.address, act).then((passes) => {
      if (passes && !isClosed(stream) && !subscriber.isBlocked) publish(subscriber);
    });
  }

  function publishPage(subscriber: Subscriber): void {
    if (stream.page && !subscriber.isBlocked) services.presence.visits(subscriber, stream.page);
  }
}

/** Counts a frame; true when it is one too many. */
function frameRate(): () => boolean {
  let windowStart = 0;
  let frames = 0;
  return () => {
    const now = performance.now();
    if (now - windowStart > FRAMES_WINDOW_MS) {
      windowStart = now;
      frames = 0;
    }
    frames += 1;
    return frames > MOST_FRAMES;
  };
}
