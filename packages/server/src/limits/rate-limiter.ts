/** The limiter's decision about one request. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  /** How many more are allowed at this moment. */
  remaining: number;
  /** Seconds (rounded up) until the whole limit is there again. */
  resetSeconds: number;
  /** Seconds (rounded up, at least 1) until the request, or the next one, is allowed; 0 when one is allowed now. */
  retryAfterSeconds: number;
}

/** Counts requests by key and decides which may pass. */
export interface RateLimiter {
  /**
   * Asks for `requests` at once, 1 by default: all of them pass or none. Refused requests are not counted. It never throws:
   * when something that a limiter depends on is away, requests go on.
   *
   * @param requests at most the limit, else they never pass
   */
  take(key: string, requests?: number): Verdict | Promise<Verdict>;
}

/** At most `limit` in any `windowMs`, for each key. */
export interface WindowRule {
  /** Unique to this limiter, and the same in every process. */
  name: string;
  limit: number;
  windowMs: number;
  /**
   * How many keys a process counts separately. It bounds the memory where visitors can bring new keys: further keys share a few
   * windows of the same limit until there is room again. A key that is counted is never forgotten.
   */
  maxKeys?: number;
  /**
   * Requests within this many ms are stored as one entry, and expire with the last of it: never more than the limit in a
   * window, and `windowMs / grainMs` entries for a key whatever the limit is. 0 is exact.
   */
  grainMs?: number;
}

/** An amount, under a key, of the window with this index. */
export interface Take {
  window: number;
  key: string;
  amount: number;
}

/** Several windows that are checked in one step. */
export interface WindowGroup {
  /**
   * Counts every take when all have room, and none when one has not. It never throws.
   *
   * @returns a verdict for each take, in their order: `allowed` when it had room itself
   */
  take(takes: readonly Take[]): Verdict[] | Promise<Verdict[]>;
  /** What `take` would return; nothing is counted. */
  look(takes: readonly Take[]): Verdict[] | Promise<Verdict[]>;
}

/** Where the limits of this process are kept: in memory, or in a Redis shared with other processes. */
export interface Limits {
  /**
   * A limiter of its own: at most `limit` requests in any `windowMs`.
   *
   * @param name of what is limited; the same in every process
   * @param maxKeys as in `WindowRule`
   */
  limiter(name: string, limit: number, windowMs: number, maxKeys?: number): RateLimiter;
  /** Windows that are checked together; a take names its window by the index in `rules`. */
  group(rules: readonly WindowRule[]): WindowGroup;
  /** Connects, so that the first request is counted where the others are. It never fails. */
  open(): Promise<void>;
  /** Whether the Redis that they are shared in answers; only where there is one. It never fails. */
  redisAnswers?(): Promise<boolean>;
  /** Releases everything that would keep the process alive. */
  close(): void;
}
