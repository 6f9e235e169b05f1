import type { Limits, RateLimiter, Take, Verdict, WindowGroup, WindowRule } from "./rate-limiter.ts";

/** Keys beyond `maxKeys` are counted in this many windows, by their hash. */
const SHARED_WINDOWS = 256;
/** While it is full, a limiter looks for keys to remove at most this often in a window. */
const SWEEPS_WHEN_FULL = 60;

/** A limiter in the memory of this process: synchronous. */
export interface SlidingWindow extends RateLimiter {
  take(key: string, requests?: number): Verdict;
  /** What `take` would return; nothing is counted. */
  look(key: string, requests?: number): Verdict;
}

/** A group in the memory of this process. */
export interface OwnGroup extends WindowGroup {
  take(takes: readonly Take[]): Verdict[];
  look(takes: readonly Take[]): Verdict[];
}

/** Limits of each process alone. */
export function ownLimits(): Limits {
  const clock = () => performance.now();
  return {
    limiter: (_name, limit, windowMs, maxKeys) => slidingWindow(limit, windowMs, clock, { maxKeys }),
    group: (rules) => ownGroup(rules, clock),
    async open() {},
    close() {},
  };
}

/** @param clock as that of `slidingWindow` */
export function ownGroup(rules: readonly WindowRule[], clock: () => number): OwnGroup {
  const windows = rules.map(({ limit, windowMs, ...bounds }) => slidingWindow(limit, windowMs, clock, bounds));
  const look: OwnGroup["look"] = (takes) => takes.map(({ window, key, amount }) => windowAt(window).look(key, amount));
  return {
    look,
    take(takes) {
      const looked = look(takes);
      if (!looked.every(({ allowed }) => allowed)) return looked;
      return takes.map(({ window, key, amount }) => windowAt(window).take(key, amount));
    },
  };

  function windowAt(index: number): SlidingWindow {
    const window = windows[index];
    if (!window) throw new Error(`There is no window ${index}.`);
    return window;
  }
}

/**
 * At most `limit` requests in any `windowMs`, for each key: a true sliding window, stored as the times of the requests that
 * passed. Refused requests are not counted, so that `Retry-After` stays honest.
 *
 * @param clock a monotonic clock in ms: setting the machine's clock neither blocks nor admits anyone
 * @param bounds as in `WindowRule`
 */
export function slidingWindow(
  limit: number,
  windowMs: number,
  clock: () => number,
  {
    maxKeys = Number.POSITIVE_INFINITY,
    grainMs = 0,
  }: { maxKeys?: number | undefined; grainMs?: number | undefined } = {},
): SlidingWindow {
  const windows = new Map<string, Times>();
  /** Of the keys for which there was no room. */
  const shared: (Times | undefined)[] = [];
  let swept = clock();

  return {
    take: (key, requests = 1) => ask(key, requests, true),
    look: (key, requests = 1) => ask(key, requests, false),
  };

  function ask(key: string, requests: number, counts: boolean): Verdict {
    const now = clock();
    if (now >= swept + windowMs) sweep(now);
    const times = timesOf(key, now, counts);
    times.dropUntil(now - windowMs);
    const allowed = times.count + requests <= limit;
    const added = allowed && counts;
    if (added) times.add(now, requests, grainMs);
    // How many have to expire before the refused requests pass, or after passed ones, the next one.
    const tooMany = times.count + (added ? 1 : requests) - limit;
    return {
      allowed,
      limit,
      remaining: limit - times.count,
      resetSeconds: times.count === 0 ? 0 : Math.ceil((times.newest + windowMs - now) / 1_000),
      retryAfterSeconds: tooMany > 0 ? Math.max(1, Math.ceil((times.at(tooMany - 1) + windowMs - now) / 1_000)) : 0,
    };
  }

  function timesOf(key: string, now: number, counts: boolean): Times {
    const own = windows.get(key);
    if (own) return own;
    const index = shared.length === 0 ? 0 : sharedIndexOf(key);
    const common = shared[index];
    common?.dropUntil(now - windowMs);
    // What was counted together stays so until it has expired: a key never gets a second limit by a change of its window.
    if (common && common.count > 0) return common;
    if (!counts) return new Times();
    if (windows.size >= maxKeys && now >= swept + windowMs / SWEEPS_WHEN_FULL) sweep(now);
    const times = new Times();
    if (windows.size < maxKeys) windows.set(key, times);
    else shared[sharedIndexOf(key)] = times;
    return times;
  }

  /** Removes keys that have nothing left in the window. */
  function sweep(now: number): void {
    swept = now;
    for (const [key, times] of windows) {
      times.dropUntil(now - windowMs);
      if (times.count === 0) windows.delete(key);
    }
    if (shared.every((times) => isEmpty(times, now - windowMs))) shared.length = 0;
  }
}

function isEmpty(times: Times | undefined, until: number): boolean {
  times?.dropUntil(until);
  return times === undefined || times.count === 0;
}

/** FNV-1a. */
function sharedIndexOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % SHARED_WINDOWS;
}

/** A queue of rising times, each with how many passed at it, in a ring that grows by doubling. */
class Times {
  /** Of all that passed. */
  count = 0;
  /** Times and numbers alternate. */
  #ring = new Float64Array(4);
  #start = 0;
  #entries = 0;

  get newest(): number {
    return this.#time(this.#entries - 1);
  }

  /** When the request at this index passed, counted from the oldest; the newest where there are fewer. */
  at(index: number): number {
    let passed = 0;
    for (let entry = 0; entry < this.#entries - 1; entry += 1) {
      passed += this.#number(entry);
      if (passed > index) return this.#time(entry);
    }
    return this.newest;
  }

  /** @param grain requests within this many ms are counted with it */
  add(time: number, number: number, grain: number): void {
    const stamp = grain > 0 ? Math.ceil(time / grain) * grain : time;
    this.count += number;
    if (this.#entries > 0 && this.newest === stamp) {
      const last = this.#index(this.#entries - 1) + 1;
      this.#ring[last] = (this.#ring[last] as number) + number;
      return;
    }
    if (this.#entries * 2 === this.#ring.length) this.#grow();
    const index = this.#index(this.#entries);
    this.#ring[index] = stamp;
    this.#ring[index + 1] = number;
    this.#entries += 1;
  }

  dropUntil(time: number): void {
    while (this.#entries > 0 && this.#time(0) <= time) {
      this.count -= this.#number(0);
      this.#start = (this.#start + 2) & (this.#ring.length - 1);
      this.#entries -= 1;
    }
  }

  #index(entry: number): number {
    return (this.#start + entry * 2) & (this.#ring.length - 1);
  }

  #time(entry: number): number {
    return this.#ring[this.#index(entry)] as number;
  }

  #number(entry: number): number {
    return this.#ring[this.#index(entry) + 1] as number;
  }

  #grow(): void {
    const larger = new Float64Array(this.#ring.length * 2);
    for (let index = 0; index < this.#ring.length; index += 1) {
      larger[index] = this.#ring[(this.#start + index) & (this.#ring.length - 1)] as number;
    }
    this.#ring = larger;
    this.#start = 0;
  }
}
