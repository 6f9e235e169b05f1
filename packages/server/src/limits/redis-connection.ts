import { Redis } from "ioredis";

/** Reaching Redis, and its first words. */
const CONNECT_TIMEOUT_MS = 1_000;
/** A connection that was given up and does not close is cut. */
const DISCONNECT_TIMEOUT_MS = 100;
const LONGEST_RECONNECT_WAIT_MS = 1_000;

/**
 * A connection that comes back by itself. What is asked while it is away fails at once, and what was asked when it broke
 * is not asked again: nobody waits for it.
 *
 * @param url `redis://` or `rediss://`; not connected until `connect()`
 * @param timeoutMs what an answer may take, where that is more than the second that the greeting has
 */
export function redisConnection(url: string, timeoutMs = 0): Redis {
  return new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // For a Redis that takes the connection and says nothing, whose greeting would be waited for without end.
    commandTimeout: Math.max(CONNECT_TIMEOUT_MS, timeoutMs),
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RECONNECT_WAIT_MS),
  });
}
