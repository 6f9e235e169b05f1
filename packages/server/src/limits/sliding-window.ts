import type { Limits, RateLimiter, Verdict } from "./rate-limiter.ts";

/** A limiter in the memory of this process: it answers at once. */
export interface SlidingWindow extends RateLimiter {
  take(key: string, requests?: number): Verdict;
}

/** Limits that each process keeps for itself. */
export function ownLimits(): Limits {
  return {
    limiter: (_name, limit, windowMs, maxKeys) => slidingWindow(limit, windowMs, () => performance.now(), maxKeys),
    async open() {},
    close() {},
  };
}

/**
 * At most `limit` requests in any `windowMs`, for each key: a true sliding window, kept as the times of the requests
 * that passed. Refused requests are not counted, so that `Retry-After` stays honest.
 *
 * @param clock a monotonic clock in ms: setting the machine's clock neither locks anybody out nor lets anybody in
 * @param maxKeys when so many keys are remembered, the tenth of them that came first is forgotten
 */
export function slidingWindow(
  limit: number,
  windowMs: number,
  clock: () => number,
  maxKeys = Number.POSITIVE_INFINITY,
): SlidingWindow {
  const windows = new Map<string, Times>();
  let nextSweep = clock() + windowMs;

  return {
    take(key, requests = 1) {
      const now = clock();
      if (now >= nextSweep) sweep(now);
      let times = windows.get(key);
      if (!times) {
        if (windows.size >= maxKeys) forgetFirst();
        times = new Times();
        windows.set(key, times);
      }
      times.dropUntil(now - windowMs);
      const allowed = times.count + requests <= limit;
      if (allowed) for (let request = 0; request < requests; request += 1) times.add(now);
      // So many have to leave before what was refused passes, or after what has passed, the next one.
      const tooMany = times.count + (allowed ? 1 : requests) - limit;
      return {
        allowed,
        limit,
        remaining: limit - times.count,
        resetSeconds: Math.ceil((times.newest + windowMs - now) / 1_000),
        retryAfterSeconds: tooMany > 0 ? Math.max(1, Math.ceil((times.at(tooMany - 1) + windowMs - now) / 1_000)) : 0,
      };
    },
  };

  /** By the tenth: one by one, the map would walk over those it has lost, for 35 µs a key where there are 10,000. */
  function forgetFirst(): void {
    let surplus = Math.ceil(maxKeys / 10);
    for (const key of windows.keys()) {
      windows.delete(key);
      surplus -= 1;
      if (surplus === 0) return;
    }
  }

  /** Forgets keys that have not asked for a whole window. */
  function sweep(now: number): void {
    nextSweep = now + windowMs;
    for (const [key, times] of windows) {
      times.dropUntil(now - windowMs);
      if (times.count === 0) windows.delete(key);
    }
  }
}

/** A queue of rising numbers in a ring that grows by doubling. */
class Times {
  count = 0;
  #ring = new Float64Array(16);
  #start = 0;

  get oldest(): number {
    return this.at(0);
  }

  get newest(): number {
    return this.at(this.count - 1);
  }

  /** Counted from the oldest; the newest where there are fewer. */
  at(place: number): number {
    return this.#ring[(this.#start + Math.min(place, this.count - 1)) & (this.#ring.length - 1)] as number;
  }

  add(time: number): void {
    if (this.count === this.#ring.length) this.#grow();
    this.#ring[(this.#start + this.count) & (this.#ring.length - 1)] = time;
    this.count += 1;
  }

  dropUntil(time: number): void {
    while (this.count > 0 && this.oldest <= time) {
      this.#start = (this.#start + 1) & (this.#ring.length - 1);
      this.count -= 1;
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#ring.length * 2);
    for (let index = 0; index < this.count; index += 1) {
      larger[index] = this.#ring[(this.#start + index) & (this.#ring.length - 1)] as number;
    }
    this.#ring = larger;
    this.#start = 0;
  }
}
