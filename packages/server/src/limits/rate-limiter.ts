/** What the limiter says to one request. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  /** How many more are allowed at this moment. */
  remaining: number;
  /** Seconds (rounded up) until the whole limit is there again. */
  resetSeconds: number;
  /** Seconds (rounded up, at least 1) until what was asked for is allowed, or the next request; 0 when one is allowed now. */
  retryAfterSeconds: number;
}

/** Counts requests by key and says which may pass. */
export interface RateLimiter {
  /**
   * Asks for `requests` at once, 1 if nothing else is said: all of them pass or none. What is refused is not counted. It
   * never throws: whatever a limiter leans on may be away, the requests go on.
   *
   * @param requests at most the limit, else they never pass
   */
  take(key: string, requests?: number): Verdict | Promise<Verdict>;
}

/** Where the limits of this process are kept: in itself, or in a Redis with other processes. */
export interface Limits {
  /**
   * A limiter of its own: at most `limit` requests in any `windowMs`.
   *
   * @param name of what is limited; the same in every process
   * @param maxKeys how many keys a process remembers at most: where anybody can bring new ones, it bounds the memory
   */
  limiter(name: string, limit: number, windowMs: number, maxKeys?: number): RateLimiter;
  /** Makes ready, so that the first request is counted where the others are. It never fails. */
  open(): Promise<void>;
  /** Whether the Redis that they are shared in answers; only where there is one. It never fails. */
  redisAnswers?(): Promise<boolean>;
  /** Lets go of everything that would keep the process alive. */
  close(): void;
}
