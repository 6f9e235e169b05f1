import { type BrowserStorage, type HasStorage, storageOf } from "./browser-storage.ts";
import { type Clock, wallClock } from "./clock.ts";
import type { SocketConstructor } from "./live-transports.ts";

/** Web Locks, the part we use. */
export interface Locks {
  request(
    name: string,
    options: { steal?: true; signal?: AbortSignal },
    held: () => Promise<void> | undefined,
  ): Promise<unknown>;
}

/** A BroadcastChannel, the part we use. */
export interface Channel {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** What the chat and the inbox need of the browser; tests and programs pass their own. */
export interface Browser {
  clock: Clock;
  fetch: typeof globalThis.fetch;
  WebSocket: SocketConstructor | undefined;
  /** Undefined where there is none: then everything lasts as long as the tab. */
  storage: BrowserStorage | undefined;
  locks: Locks | undefined;
  channel: ((name: string) => Channel) | undefined;
  /** Calls `listener` when the network is back or the tab is visible again; returns a function that stops it. */
  onWake(listener: () => void): () => void;
  /**
   * Calls `listener` when another tab has stored something; `key` is null when it has cleared the storage. Returns a function
   * that stops it.
   */
  onStored(listener: (event: { key: string | null }) => void): () => void;
}

/** Globals of a page that Node lacks or has only under conditions. */
interface Page extends HasStorage {
  WebSocket?: SocketConstructor;
  BroadcastChannel?: new (name: string) => Channel;
  navigator?: { locks?: Locks };
  document?: EventSource & { visibilityState: string };
  addEventListener?: EventSource["addEventListener"];
  removeEventListener?: EventSource["removeEventListener"];
}
interface EventSource {
  addEventListener(name: string, listener: Listener): void;
  removeEventListener(name: string, listener: Listener): void;
}
type Listener = (event: { key: string | null }) => void;

/** The current browser. */
export function thisBrowser(): Browser {
  const page = globalThis as unknown as Page;
  const { BroadcastChannel, document } = page;
  return {
    clock: wallClock,
    fetch: (...request) => globalThis.fetch(...request),
    WebSocket: page.WebSocket,
    storage: document && storageOf(page, "localStorage"),
    locks: page.navigator?.locks,
    channel: BroadcastChannel && ((name) => new BroadcastChannel(name)),
    onWake(listener) {
      const look = () => {
        if (document?.visibilityState !== "hidden") listener();
      };
      const ends = [
        on(page, "online", listener),
        on(page, "pageshow", listener),
        on(document, "visibilitychange", look),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    onStored: (listener) => on(page, "storage", listener),
  };
}

function on(target: Partial<EventSource> | undefined, name: string, listener: Listener): () => void {
  target?.addEventListener?.(name, listener);
  return () => target?.removeEventListener?.(name, listener);
}
