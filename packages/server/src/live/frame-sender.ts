import { liveClose } from "@frontdesk/core/contract/live";
import { isClosed, type LiveStream, type Transport } from "./live-stream.ts";

/** How much may wait for the client to read it: above this a live stream is closed. */
const MOST_WAITING_BYTES = 1_048_576;
/** In a replay, reading the log pauses while more than this waits. */
const REPLAY_AHEAD_BYTES = 262_144;

/** Sends frames to one client; after the end of its stream it sends nothing. */
export interface FrameSender {
  send(frame: object): void;
  /** Sends a frame that was serialised for many streams. */
  sendText(frame: string): void;
  /** Resolves when the client has read enough to be sent more. */
  sendPaced(frame: string): Promise<void> | undefined;
}

/** A live stream does not wait for its client: one that reads too slowly is closed, and reconnects with a replay. */
export function frameSender(transport: Transport, stream: LiveStream): FrameSender {
  function sendText(frame: string): void {
    if (isClosed(stream)) return;
    if (transport.waiting() > MOST_WAITING_BYTES) stream.close(liveClose.slow, "too much waits");
    else transport.send(frame);
  }

  return {
    send: (frame) => sendText(JSON.stringify(frame)),
    sendText,
    sendPaced(frame) {
      if (isClosed(stream)) return undefined;
      if (transport.waiting() > REPLAY_AHEAD_BYTES) return new Promise((resolve) => transport.send(frame, resolve));
      transport.send(frame);
      return undefined;
    },
  };
}
