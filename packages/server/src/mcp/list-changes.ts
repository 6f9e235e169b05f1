import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

/** How often the storage is checked for changed grants while a stream is open. */
const LOOK_MS = 500;
/** Streams that one connection may have open, and all of a team; the oldest is closed when there are more. */
const STREAMS_MAX = 8;
const TEAM_STREAMS_MAX = 512;

/** A stream on which a connection is notified of changes of its list. */
interface Stream {
  teamId: string;
  assistantId: string;
  /** A fingerprint of its present list of tools; undefined when it has none any more. */
  look(): Promise<string | undefined>;
  /** The fingerprint when the host was last notified. */
  seen: string | undefined;
  send(event: ServerEvent): void;
  end(): void;
}

/** The connection that the SDK is opening a stream for. */
export type Listener = Pick<Stream, "teamId" | "assistantId" | "look" | "seen" | "end">;

/**
 * Notifies hosts that their list of tools has changed: each connection of its own list only, whichever process changed it
 * (specification, "Conventions"; MCP 2026-07-28, subscriptions). A stream of a revoked connection ends.
 *
 * Grants are read again when the storage's version of them has changed, as every request does, so that nothing has to be
 * sent between processes.
 */
export function createListChanges({
  version,
  opening,
}: {
  /** Changes when a grant has changed. */
  version: () => string | undefined;
  /** The connection that a stream is being opened for. */
  opening: () => Listener | undefined;
}): ServerEventBus {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let lookedAt: string | undefined;

  return {
    // The SDK's own broadcast is not used: each stream is notified by itself.
    publish() {},
    subscribe(send) {
      const listener = opening();
      if (!listener) throw new Error("A stream was opened without saying for whom.");
      const stream: Stream = { ...listener, send };
      streams.add(stream);
      keepNewest(STREAMS_MAX, ({ assistantId }) => assistantId === stream.assistantId);
      keepNewest(TEAM_STREAMS_MAX, ({ teamId }) => teamId === stream.teamId);
      // Its grant may have changed since the request was admitted, after the others were read.
      lookedAt = undefined;
      timer ??= setInterval(look, LOOK_MS).unref();
      return () => {
        streams.delete(stream);
        if (streams.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };

  function look(): void {
    const now = version();
    if (now !== undefined && now === lookedAt) return;
    lookedAt = now;
    for (const stream of [...streams]) void lookAt(stream);
  }

  async function lookAt(stream: Stream): Promise<void> {
    try {
      const list = await stream.look();
      if (list === undefined) return stream.end();
      if (list === stream.seen) return;
      stream.seen = list;
      stream.send({ kind: "tools_list_changed" });
    } catch {
      // The storage is away: tried again at the next interval.
      lookedAt = undefined;
    }
  }

  function keepNewest(most: number, among: (stream: Stream) => boolean): void {
    const some = [...streams].filter(among);
    if (some.length > most) some[0]?.end();
  }
}
