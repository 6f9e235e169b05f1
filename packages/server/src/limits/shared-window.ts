import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Verdict, WindowRule } from "./rate-limiter.ts";

/** The prefix of all our names in Redis. */
export const REDIS_NAMES = "frontdesk:limit:";

const MICROSECONDS_IN_MS = 1_000;
const MICROSECONDS_IN_SECOND = 1_000_000;

/**
 * The same windows as `slidingWindow`, for every process with this Redis: each key is a list of the times (µs) of the requests
 * that passed, oldest first. Redis runs the script as one step, and only its clock is used. Several keys are checked at once:
 * first each is read, then all are counted, or none.
 *
 * The list expires when its key has not passed a request for a window. A clock that was set back starts the window again, since
 * it is unknown when the requests in its future were made.
 *
 * A list and not a sorted set: a new time is always the newest, so that only its ends are read, and it takes a ninth of the
 * memory. Old times are removed by the thousand where there are many: one by one, a million would block Redis for 3.4 s.
 */
const SCRIPT = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call("TIME")
  now = time[1] * 1000000 + time[2]
end
local counts = ARGV[2] == "1"
local rows, room = {}, true
for index, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[3 * index]), tonumber(ARGV[3 * index + 1])
  local requests = tonumber(ARGV[3 * index + 2])
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
  room = room and allowed
  rows[index] = { key = key, limit = limit, window = window, requests = requests, count = count, allowed = allowed, newest = newest }
end
local answers = {}
for index, row in ipairs(rows) do
  local count, requests, newest = row.count, row.requests, row.newest
  if room and counts then
    local left = requests
    while left > 0 do
      local some, times = math.min(left, 1000), {}
      for place = 1, some do times[place] = now end
      redis.call("RPUSH", row.key, unpack(times))
      left = left - some
    end
    redis.call("PEXPIRE", row.key, math.ceil(row.window / 1000))
    count, newest, requests = count + requests, now, 1
  end
  local place = math.max(0, math.min(count, count + requests - row.limit) - 1)
  local leaving = tonumber(redis.call("LINDEX", row.key, place)) or now
  answers[index] = {
    row.allowed and 1 or 0, count, requests,
    math.ceil(leaving + row.window - now), math.ceil((newest or now) + row.window - now)
  }
end
return answers
`;
const SCRIPT_SHA = createHash("sha1").update(SCRIPT).digest("hex");

export interface SharedWindow {
  /** @throws any error of Redis or its connection; `isUnknownScript` shows that it needs `loadScript` first */
  take(key: string, requests?: number): Promise<Verdict>;
}

/** An amount, under a complete name in Redis, of a window. */
export interface SharedTake extends Pick<WindowRule, "limit" | "windowMs"> {
  name: string;
  amount: number;
}

/** Loads the script into Redis; later commands over the same connection find it there. */
export async function loadScript(redis: Redis): Promise<void> {
  await redis.script("LOAD", SCRIPT);
}

/** Whether Redis does not know the script: it was restarted, or its scripts were flushed. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}

/**
 * Needs `loadScript` once on each Redis.
 *
 * @param prefix of the names in Redis; the limited key follows it, so it must be no secret
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
      const [verdict] = await takeShared(redis, [{ name: prefix + key, limit, windowMs, amount: requests }], { clock });
      return verdict as Verdict;
    },
  };
}

/**
 * Counts every take when all have room, and none when one has not; returns a verdict for each, in their order.
 *
 * @param options.clock as that of `sharedWindow`
 * @param options.counts false: nothing is counted
 * @throws any error of Redis or its connection
 */
export async function takeShared(
  redis: Redis,
  takes: readonly SharedTake[],
  { clock, counts = true }: { clock?: (() => number) | undefined; counts?: boolean } = {},
): Promise<Verdict[]> {
  const names = takes.map(({ name }) => name);
  const time = clock ? clock() * MICROSECONDS_IN_MS : "";
  const rows = takes.flatMap(({ limit, windowMs, amount }) => [limit, windowMs * MICROSECONDS_IN_MS, amount]);
  const answers = await run(redis, names, [time, counts ? 1 : 0, ...rows]);
  return takes.map(({ limit }, index) => verdictOf(limit, answers[index] as Answer));
}

function verdictOf(limit: number, [allowed, count, requests, untilLeft, untilNewest]: Answer): Verdict {
  return {
    allowed: allowed === 1,
    limit,
    // Another process may count with a higher limit, until all have been restarted.
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.ceil(untilNewest / MICROSECONDS_IN_SECOND),
    retryAfterSeconds: count + requests > limit ? Math.max(1, Math.ceil(untilLeft / MICROSECONDS_IN_SECOND)) : 0,
  };
}

/**
 * Runs everything in Redis that a limited request needs; the name that it writes expires a millisecond later.
 *
 * @throws any error of Redis or its connection
 */
export function tryRedis(redis: Redis): Promise<Verdict> {
  return sharedWindow(redis, REDIS_NAMES, 1, 1).take("try");
}

/** `requests`: those requested when nothing was counted, else the next one. Times in µs. */
type Answer = [allowed: number, count: number, requests: number, untilLeft: number, untilNewest: number];

/** By its name alone, in one round trip: the text would be 2 kB a request. */
async function run(redis: Redis, names: string[], args: (string | number)[]): Promise<Answer[]> {
  return (await redis.evalsha(SCRIPT_SHA, names.length, ...names, ...args)) as Answer[];
}
