/**
 * From `open()` to `close()`: everything on the screen is fetched, and then the stream keeps it in sync.
 *
 *   closed    --load()-------------------------------> fetching
 *   fetching  --fetched------------------------------> listening (live-stream.ts)
 *             --no answer----------------------------> waiting
 *   waiting   --wait over, wake()--------------------> fetching
 *   any       --401 of any request, 4001 (listening)-> over: the agent has to sign in again
 *             --close()------------------------------> closed
 */
import type { AgentEventFrame } from "@frontdesk/core/contract/live";
import type { TeamPresenceUpdate } from "./apply-team-event.ts";
import type { Browser } from "./browser.ts";
import { retryLater } from "./clock.ts";
import type { LogFollower } from "./follow-log.ts";
import type { InboxContext } from "./inbox-context.ts";
import type { ConnectionState, LiveStream } from "./live-stream.ts";
import { allTransports } from "./live-transports.ts";
import { openSharedStream } from "./shared-stream.ts";

export interface InboxConnection extends LiveStream {
  /** Fetches, then listens. A repeat does nothing. */
  load(): Promise<void>;
  /** The session or key has ended. */
  end(): void;
  connected(state: ConnectionState): void;
}

export function inboxConnection(
  { store, clock, isOpen }: InboxContext,
  {
    origin,
    apiKey,
    name,
    browser,
    follower,
    onConnection,
    onPresence,
  }: {
    origin: string;
    apiKey: string | undefined;
    /** Tabs whose streams have the same name share one. */
    name: string;
    browser: Browser;
    follower: LogFollower<AgentEventFrame>;
    onConnection(state: ConnectionState): void;
    onPresence(frame: TeamPresenceUpdate): void;
  },
): InboxConnection {
  /** Defined while listening. */
  let stream: LiveStream | undefined;
  let isFetching = false;
  let failures = 0;
  let cancelWait = () => {};

  return {
    load,
    end,
    connected,
    send: (frame) => stream?.send(frame),
    wake() {
      stream?.wake();
      void load();
    },
    close() {
      stream?.close();
      stream = undefined;
      cancelWait();
    },
  };

  async function load(): Promise<void> {
    if (isFetching || stream || store.isOver || !isOpen()) return;
    isFetching = true;
    cancelWait();
    const isFetched = await follower.reset();
    isFetching = false;
    if (!isOpen()) return;
    if (isFetched) {
      failures = 0;
      listen();
    } else if (!store.isOver) {
      connected("offline");
      cancelWait = retryLater(clock, load, failures++);
    }
  }

  function listen(): void {
    stream = openSharedStream<AgentEventFrame, TeamPresenceUpdate>({
      ...browser,
      name,
      token: apiKey,
      present: true,
      follower,
      transports: allTransports(origin, browser),
      onConnection(state) {
        onConnection(state);
        connected(state);
      },
      onPresence,
      onEnd: end,
    });
  }

  function end(): void {
    store.isOver = true;
    stream?.close();
    stream = undefined;
    connected("offline");
  }

  function connected(state: ConnectionState): void {
    store.connection = state;
    store.changed();
  }
}
