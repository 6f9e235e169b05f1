import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Verdict } from "./rate-limiter.ts";

/** What all our names in Redis begin with. */
export const REDIS_NAMES = "frontdesk:limit:";

const MICROSECONDS_IN_MS = 1_000;
const MICROSECONDS_IN_SECOND = 1_000_000;

/**
 * The same window as `slidingWindow`, for every process that asks this Redis: each key is a list of the times (µs) of the
 * requests that passed, oldest first. Redis runs the script as one step, and its clock is the only one that is looked at.
 *
 * The list leaves by itself when its key has not passed a request for a window. A clock that was set back starts the
 * window anew, since nobody knows when the requests in its future were made.
 *
 * A list and not a sorted set: a new time is always the newest, so that its ends are all that is looked at, and it takes a
 * ninth of the memory. Old times go by the thousand where there are many: one by one, a million would hold Redis up for
 * 3.4 s.
 */
const SCRIPT = `
local key, limit, window, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local requests = tonumber(ARGV[4])
if not now then
  local time = redis.call("TIME")
  now = time[1] * 1000000 + time[2]
end
local newest = tonumber(redis.call("LINDEX", key, -1))
if newest and newest > now then redis.call("DEL", key) end
local oldest = tonumber(redis.call("LINDEX", key, 0))
while oldest and oldest <= now - window do
  local thousandth = tonumber(redis.call("LINDEX", key, 999))
  if thousandth and thousandth <= now - window then
    redis.call("LTRIM", key, 1000, -1)
  else
    redis.call("LPOP", key)
  end
  oldest = tonumber(redis.call("LINDEX", key, 0))
end
local count = redis.call("LLEN", key)
local allowed = count + requests <= limit
if allowed then
  for request = 1, requests do redis.call("RPUSH", key, now) end
  redis.call("PEXPIRE", key, math.ceil(window / 1000))
  count, newest, requests = count + requests, now, 1
end
local leaving = tonumber(redis.call("LINDEX", key, math.max(0, math.min(count, count + requests - limit) - 1))) or now
return { allowed and 1 or 0, count, math.ceil(leaving + window - now), math.ceil((newest or now) + window - now) }
`;
const SCRIPT_SHA = createHash("sha1").update(SCRIPT).digest("hex");

export interface SharedWindow {
  /** @throws whatever Redis or the way to it says */
  take(key: string, requests?: number): Promise<Verdict>;
}

/**
 * @param prefix of the names in Redis; the limited key stands behind it, so it must be no secret
 * @param clock of a test, in ms; Redis' own otherwise
 */
export function sharedWindow(
  redis: Redis,
  prefix: string,
  limit: number,
  windowMs: number,
  clock?: () => number,
): SharedWindow {
  return {
    async take(key, requests = 1) {
      const time = clock ? clock() * MICROSECONDS_IN_MS : "";
      const args = [prefix + key, limit, windowMs * MICROSECONDS_IN_MS, time, requests] as const;
      const [allowed, count, untilLeft, untilNewest] = await run(redis, args);
      const tooMany = count + (allowed === 1 ? 1 : requests) - limit;
      return {
        allowed: allowed === 1,
        limit,
        // Another process may count with a higher limit, for as long as not all have been restarted.
        remaining: Math.max(0, limit - count),
        resetSeconds: Math.ceil(untilNewest / MICROSECONDS_IN_SECOND),
        retryAfterSeconds: tooMany > 0 ? Math.max(1, Math.ceil(untilLeft / MICROSECONDS_IN_SECOND)) : 0,
      };
    },
  };
}

/**
 * Has Redis do all that a limited request needs of it; the name that it writes is gone a millisecond later.
 *
 * @throws whatever Redis or the way to it says
 */
export function tryRedis(redis: Redis): Promise<Verdict> {
  return sharedWindow(redis, REDIS_NAMES, 1, 1).take("try");
}

type Reply = [allowed: number, count: number, untilLeft: number, untilNewest: number];

/** By its name, which is short; by its text when Redis has not seen it, or no longer knows it. */
async function run(redis: Redis, args: readonly [string, ...(string | number)[]]): Promise<Reply> {
  try {
    return (await redis.evalsha(SCRIPT_SHA, 1, ...args)) as Reply;
  } catch (error) {
    if (!(error as Error).message.startsWith("NOSCRIPT")) throw error;
    return (await redis.eval(SCRIPT, 1, ...args)) as Reply;
  }
}
