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

/** At most `limit` in any `windowMs`, for each key. */
export interface WindowRule {
  /** The same in every process, and no other limiter's. */
  name: string;
  limit: number;
  windowMs: number;
  /**
   * How many keys a process counts apart. Where strangers can bring new ones it bounds the memory: further keys share a
   * few windows of the same limit until there is room again. A key that is counted is never forgotten.
   */
  maxKeys?: number;
  /**
   * What passes within so many ms is kept as one entry, and leaves with the last of it: never more than the limit in a
   * window, and `windowMs / grainMs` entries for a key whatever the limit is. 0 is exact.
   */
  grainMs?: number;
}

/** So much, under a key, of the window with this index. */
export interface Take {
  window: number;
  key: string;
  amount: number;
}

/** Several windows that are asked in one step. */
export interface WindowGroup {
  /**
   * Counts every take when all have room, and none when one has not. It never throws.
   *
   * @returns a verdict for each take, in their order: `allowed` when it had room itself
   */
  take(takes: readonly Take[]): Verdict[] | Promise<Verdict[]>;
  /** What `take` would answer; nothing is counted. */
  look(takes: readonly Take[]): Verdict[] | Promise<Verdict[]>;
}

/** Where the limits of this process are kept: in itself, or in a Redis with other processes. */
export interface Limits {
  /**
   * A limiter of its own: at most `limit` requests in any `windowMs`.
   *
   * @param name of what is limited; the same in every process
   * @param maxKeys as in `WindowRule`
   */
  limiter(name: string, limit: number, windowMs: number, maxKeys?: number): RateLimiter;
  /** Windows that are asked together; a take names its window by the index in `rules`. */
  group(rules: readonly WindowRule[]): WindowGroup;
  /** Makes ready, so that the first request is counted where the others are. It never fails. */
  open(): Promise<void>;
  /** Whether the Redis that they are shared in answers; only where there is one. It never fails. */
  redisAnswers?(): Promise<boolean>;
  /** Lets go of everything that would keep the process alive. */
  close(): void;
}
