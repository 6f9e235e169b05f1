import type { LiveCloseCode, LivePage } from "@frontdesk/core/contract/live";
import type { Timeouts } from "../timeouts.ts";
import type { AiDrafts } from "./ai-drafts.ts";
import type { ConversationViewers } from "./conversation-viewers.ts";
import type { OwnReads } from "./own-reads.ts";
import type { Presence } from "./presence.ts";
import type { Credentials, Subscriber } from "./subscriber.ts";
import type { TeamFeeds } from "./team-feeds.ts";

/** What carries the frames of one stream: a WebSocket, or an answer that does not end. */
export interface Transport {
  kind: "websocket" | "sse";
  /** @param taken called when it has left this process, or never will */
  send(frame: string, taken?: () => void): void;
  /** Bytes that are not sent yet. */
  waiting(): number;
  close(code: LiveCloseCode, reason: string): void;
}

/** The origin of a stream. */
export interface Caller {
  address: string;
  /** The token in the cookie of a session, in a request from a page of our own. */
  session: string | undefined;
  /** Releases the slot among the streams of its address: agents do not count there. */
  releaseSlot(): void;
}

export interface StreamServices {
  feeds: TeamFeeds;
  presence: Presence;
  conversationViewers: ConversationViewers;
  ownReads: OwnReads;
  aiDrafts: AiDrafts;
  /** Identifies the log that numbers belong to. */
  epoch(): Promise<string>;
  /**
   * Identifies the subscriber of a new stream, and counts it.
   *
   * @throws Refusal when the token is not good for a stream, or too many are opened
   */
  admit(credentials: Credentials, address: string): Promise<Subscriber>;
  /** @throws Refusal when the token is no longer good for a stream */
  identifySubscriber(credentials: Credentials): Promise<Subscriber>;
  /**
   * Takes a slot among the streams of the same token and team.
   *
   * @throws Refusal when there are too many
   */
  takeSlot(subscriber: Subscriber): () => void;
  /** Counts what a visitor's stream requests; false when it is too much. */
  count(subscriber: Subscriber, address: string, act: "replays" | "page-frames" | "typing-frames"): Promise<boolean>;
  timeouts: Timeouts;
  /** Called with the number of events sent. */
  onSent(events: number): void;
  /** Called for an internal error. */
  onTrouble(error: unknown): void;
}

/** One stream, as its parts share it. Only `live-connection.ts` moves it from phase to phase. */
export interface LiveStream {
  phase: "silent" | "replaying" | "live" | "closed";
  readonly address: string;
  /** From the first frame on. */
  credentials: Credentials | undefined;
  /** Once the credentials were looked up. */
  subscriber: Subscriber | undefined;
  /** The page that the visitor is on; one that comes before the stream is live counts from then on. */
  page: LivePage | undefined;
  close(code: LiveCloseCode, reason: string): void;
}

/** A function, since it is asked after each wait: the compiler would remember the phase from before. */
export function isClosed({ phase }: LiveStream): boolean {
  return phase === "closed";
}
