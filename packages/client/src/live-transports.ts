/**
 * The three transports of the live stream (docs/decisions/0020-live-stream.md), with one interface. A transport does not
 * reconnect by itself; `live-stream.ts` decides that.
 */
import type {
  AwayFrame,
  HelloFrame,
  LivePoll,
  PageFrame,
  PingFrame,
  TypingFrame,
  ViewingFrame,
} from "@frontdesk/core/contract/live";
import type { Browser } from "./browser.ts";
import type { Clock } from "./clock.ts";
import type { LoggedEvent, LogPosition } from "./follow-log.ts";

const POLL_MS = 15_000;
/** The code of a connection that ended without one. */
const LOST = 1006;
export const NOT_VALID = 4001;
export const NOT_UNDERSTOOD = 4002;
export const MOVED = 4003;
export const GONE = 4004;

/** The first frame of a connection. */
type HelloParts = Omit<HelloFrame, "type">;
export type Hello = { readonly [Key in keyof HelloParts]: HelloParts[Key] | undefined };

/** State of this moment, which may be lost. */
export type PresenceToSend = TypingFrame | PageFrame | ViewingFrame | AwayFrame;

export type ServerFrame<Event extends LoggedEvent, Presence> =
  | ({ readonly type: "event" } & Event)
  | ({ readonly type: "ready" | "reset" } & LogPosition)
  | { readonly type: "pong" }
  | Presence;

export interface Listener {
  /** Something was received, a frame or a keep-alive. */
  received(): void;
  frame(text: string): void;
  /** The connection has ended, with the code of a closed WebSocket. */
  closed(code: number): void;
}

export interface LiveConnection {
  /** Only a WebSocket can send. */
  send?(frame: PresenceToSend | PingFrame): void;
  /** The listener is not called any more. */
  close(): void;
}

/** `hello` is called for each request: the position moves on. */
export type Transport = (hello: () => Hello, on: Listener) => LiveConnection;

/** The parts of the platform's WebSocket that we use. */
export type SocketConstructor = new (address: string) => SocketLike;
interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
}

/** All transports, best first. */
export function allTransports(
  origin: string,
  { clock, fetch, WebSocket }: Pick<Browser, "clock" | "fetch" | "WebSocket">,
): readonly [Transport, ...Transport[]] {
  const fallbacks = [overEventStream(origin, fetch), overPolling(origin, fetch, clock)] as const;
  return WebSocket ? [overWebSocket(origin, WebSocket), ...fallbacks] : fallbacks;
}

const OPEN = 1;

export function overWebSocket(origin: string, WebSocket: SocketConstructor): Transport {
  return (hello, on) => {
    const socket = new WebSocket(`${origin.replace(/^http/, "ws")}/live`);
    const send = (frame: object) => {
      if (socket.readyState === OPEN) socket.send(JSON.stringify(frame));
    };
    socket.onopen = () => send({ type: "hello", ...hello() });
    socket.onmessage = ({ data }: { data: unknown }) => {
      on.received();
      on.frame(String(data));
    };
    socket.onclose = ({ code }: { code: number }) => on.closed(code);
    return { send, close: () => socket.close() };
  };
}

export function overEventStream(origin: string, fetch: typeof globalThis.fetch): Transport {
  return overFetch(fetch, `${origin}/live/events`, async ({ body }, on) => {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    let isClose = false;
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      on.received();
      const lines = (text + piece.value).split("\n");
      text = lines.pop() ?? "";
      // A frame is one line of data; ids and comments carry nothing else.
      for (const line of lines) {
        if (line === "event: close") isClose = true;
        else if (!line.startsWith("data: ")) continue;
        else if (isClose) on.closed(JSON.parse(line.slice(6)).code);
        else on.frame(line.slice(6));
      }
    }
    on.closed(LOST);
  });
}

export function overPolling(origin: string, fetch: typeof globalThis.fetch, clock: Clock): Transport {
  return overFetch(fetch, `${origin}/live/poll`, async (response, on, signal, again) => {
    const { frames, has_more } = (await response.json()) as Pick<LivePoll, "has_more"> & { frames: object[] };
    on.received();
    for (const frame of frames) on.frame(JSON.stringify(frame));
    if (!signal.aborted) signal.onabort = clock.after(has_more ? 0 : POLL_MS, again);
  });
}

/** Read with `fetch`, so that the token is in a header and in no access log. */
function overFetch(
  fetch: typeof globalThis.fetch,
  address: string,
  read: (response: Response, on: Listener, signal: AbortSignal, again: () => void) => Promise<void>,
): Transport {
  return (hello, on) => {
    const ending = new AbortController();
    const { signal } = ending;
    ask();
    return { close: () => ending.abort() };

    async function ask(): Promise<void> {
      const { token, ...rest } = hello();
      const query = Object.entries(rest).filter(([, value]) => value != null) as [string, string][];
      // A signed-in agent has a cookie instead.
      const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
      try {
        const response = await fetch(`${address}?${new URLSearchParams(query)}`, {
          headers,
          signal,
          cache: "no-store",
        });
        if (!response.ok) return on.closed(response.status === 401 ? NOT_VALID : LOST);
        await read(response, on, signal, ask);
      } catch {
        on.closed(LOST);
      }
    }
  };
}
