import { redisConnection } from "./limits/redis-connection.ts";

/** The prefix of all channels in Redis. */
const CHANNELS = "frontdesk:wire:";
/** How often a connection is checked. */
const HEARTBEAT_MS = 5_000;

/**
 * Publishes texts to the processes with the same Redis. Nothing is stored: what is published while Redis is away, or without a
 * subscriber, is lost, so only latency may depend on it.
 */
export interface PubSub {
  publish(topic: string, text: string): void;
  /** Calls `listener` with what any process publishes, including this one. */
  subscribe(topic: string, listener: (text: string) => void): void;
  /** Calls `listener` each time the other processes can be reached again: what was published until then is lost. */
  onReconnect(listener: () => void): void;
  /** Begins to connect; waits for nothing. */
  open(): void;
  close(): void;
}

/** For a single process, or without a Redis. */
export function noPubSub(): PubSub {
  return { publish() {}, subscribe() {}, onReconnect() {}, open() {}, close() {} };
}

/** That Redis is away is logged by the limits, which ask it anyway (docs/decisions/0012-shared-limits-in-redis.md). */
export function redisPubSub(redisUrl: string): PubSub {
  const publisher = redisConnection(redisUrl);
  const subscriber = redisConnection(redisUrl);
  const listeners = new Map<string, Set<(text: string) => void>>();
  const reconnectListeners: (() => void)[] = [];
  let subscribed = false;
  let heartbeat: NodeJS.Timeout | undefined;
  for (const redis of [publisher, subscriber]) redis.on("error", () => {});
  publisher.on("ready", reconnected);
  subscriber.on("close", () => {
    subscribed = false;
  });
  subscriber.on("ready", async () => {
    const channels = [...listeners.keys()].map((topic) => CHANNELS + topic);
    if (channels.length === 0) return;
    subscribed = await subscriber.subscribe(...channels).then(
      () => true,
      () => false,
    );
    reconnected();
  });
  subscriber.on("message", (channel: string, text: string) => {
    for (const listener of listeners.get(channel.slice(CHANNELS.length)) ?? []) listener(text);
  });

  return {
    publish(topic, text) {
      // Not queued: a Redis that hangs must not fill the memory.
      if (publisher.status === "ready") publisher.publish(CHANNELS + topic, text).catch(() => {});
    },
    subscribe(topic, listener) {
      listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener));
    },
    onReconnect(listener) {
      reconnectListeners.push(listener);
    },
    open() {
      for (const redis of [publisher, subscriber]) redis.connect().catch(() => {});
      heartbeat = setInterval(ping, HEARTBEAT_MS).unref();
    },
    close() {
      clearInterval(heartbeat);
      publisher.disconnect();
      subscriber.disconnect();
    },
  };

  function reconnected(): void {
    if (subscribed && publisher.status === "ready") for (const listener of reconnectListeners) listener();
  }

  /** A connection that died without an event is noticed by a ping. */
  function ping(): void {
    for (const redis of [publisher, subscriber]) {
      if (redis.status === "ready") redis.ping().catch(() => redis.disconnect(true));
    }
  }
}
