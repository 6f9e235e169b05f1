import { redisConnection } from "./limits/redis-connection.ts";

/** The names of what is said in Redis. */
const CHANNELS = "frontdesk:wire:";
/** How often the listening connection is asked whether it still lives. */
const HEARTBEAT_MS = 5_000;

/**
 * Says texts to the other processes with the same Redis. Nothing is kept: what is said while Redis is away, or while
 * nobody hears it, is lost, so nothing may depend on it but how soon something is known.
 */
export interface ProcessWire {
  say(topic: string, text: string): void;
  /** Calls `listener` with what others say; also with what this process says itself. */
  hear(topic: string, listener: (text: string) => void): void;
  /** Calls `listener` each time when the others can be reached again: what was said until then, nobody has heard. */
  reached(listener: () => void): void;
  /** Begins to connect; waits for nothing. */
  open(): void;
  close(): void;
}

/** Where there is one process alone, or no Redis to reach the others by. */
export function noWire(): ProcessWire {
  return { say() {}, hear() {}, reached() {}, open() {}, close() {} };
}

/** That Redis is away is logged by the limits, which ask it anyway (docs/decisions/0012-shared-limits-in-redis.md). */
export function redisWire(redisUrl: string): ProcessWire {
  const mouth = redisConnection(redisUrl);
  const ear = redisConnection(redisUrl);
  const listeners = new Map<string, Set<(text: string) => void>>();
  const whenReached: (() => void)[] = [];
  let hears = false;
  let heartbeat: NodeJS.Timeout | undefined;
  for (const redis of [mouth, ear]) redis.on("error", () => {});
  mouth.on("ready", tellReached);
  ear.on("close", () => {
    hears = false;
  });
  ear.on("ready", async () => {
    const channels = [...listeners.keys()].map((topic) => CHANNELS + topic);
    if (channels.length === 0) return;
    hears = await ear.subscribe(...channels).then(
      () => true,
      () => false,
    );
    tellReached();
  });
  ear.on("message", (channel: string, text: string) => {
    for (const listener of listeners.get(channel.slice(CHANNELS.length)) ?? []) listener(text);
  });

  return {
    say(topic, text) {
      // Queued nowhere: a Redis that hangs must not be what fills the memory.
      if (mouth.status === "ready") mouth.publish(CHANNELS + topic, text).catch(() => {});
    },
    hear(topic, listener) {
      listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener));
    },
    reached(listener) {
      whenReached.push(listener);
    },
    open() {
      for (const redis of [mouth, ear]) redis.connect().catch(() => {});
      heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
    },
    close() {
      clearInterval(heartbeat);
      mouth.disconnect();
      ear.disconnect();
    },
  };

  function tellReached(): void {
    if (hears && mouth.status === "ready") for (const listener of whenReached) listener();
  }

  /** A line that is dead without a word is noticed by asking. */
  function beat(): void {
    for (const redis of [mouth, ear]) {
      if (redis.status === "ready") redis.ping().catch(() => redis.disconnect(true));
    }
  }
}
