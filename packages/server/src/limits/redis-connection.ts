import { Redis } from "ioredis";

/** For connecting to Redis and its greeting. */
const CONNECT_TIMEOUT_MS = 1_000;
/** A closed connection that does not end is cut after this time. */
const DISCONNECT_TIMEOUT_MS = 100;
const LONGEST_RECONNECT_WAIT_MS = 1_000;

/**
 * A connection that reconnects by itself. Commands while it is away fail at once, and commands under way when it broke are not
 * repeated: no request waits for it.
 *
 * @param url `redis://` or `rediss://`; not connected until `connect()`
 * @param timeoutMs how long an answer may take, where that is more than the second of the greeting
 */
export function redisConnection(url: string, timeoutMs = 0): Redis {
  return new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // For a Redis that accepts the connection and does not answer: its greeting would be awaited without end.
    commandTimeout: Math.max(CONNECT_TIMEOUT_MS, timeoutMs),
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RECONNECT_WAIT_MS),
  });
}
