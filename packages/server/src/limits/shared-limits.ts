import type { Logger } from "../logger.ts";
import type { Limits, Take, WindowRule } from "./rate-limiter.ts";
import { redisConnection } from "./redis-connection.ts";
import { isUnknownScript, loadScript, REDIS_NAMES, sharedWindow, takeShared, tryRedis } from "./shared-window.ts";
import { ownGroup, slidingWindow } from "./sliding-window.ts";

/** How long Redis is not used after it was away. */
const PAUSE_MS = 1_000;

/**
 * Limits that all processes with the same Redis keep together (docs/decisions/0012-shared-limits-in-redis.md).
 *
 * ```
 *            .-- one request is answered (logged) -----------.
 *            v                                               |
 *         shared                                           alone <--.
 *            |                                               ^  |   | it is not: alone for
 *            |                                               |  |   | another second
 *            '-- no answer in time, or an error (logged) ----'  '---'
 *                                                        after a second
 *                                                       one request tries
 * ```
 * Alone, this process counts for itself. Requests that Redis lets pass are counted here as well, so that no client
 * gets a second minute when Redis goes away.
 *
 * @param timeoutMs how long a request waits for Redis at most (REDIS_TIMEOUT_MS)
 * @param pauseMs as `PAUSE_MS`
 */
export function sharedLimits({
  redisUrl,
  logger,
  timeoutMs,
  pauseMs = PAUSE_MS,
}: {
  redisUrl: string;
  logger: Logger;
  timeoutMs: number;
  pauseMs?: number;
}): Limits {
  const redis = redisConnection(redisUrl, timeoutMs);
  const clock = () => performance.now();
  let shared = true;
  let nextTry = 0;
  // Reasons are logged once, when requests fail; without a listener each attempt would be printed.
  let lastProblem: Error | undefined;
  redis.on("error", (error) => {
    lastProblem = error;
  });
  // The first command of each connection: under a burst, a Redis that has just started has the script already, and is not sent
  // it once a request.
  redis.on("ready", () => void load().catch(() => {}));
  let loading: Promise<void> | undefined;

  return {
    limiter(name, limit, windowMs, maxKeys) {
      // Redis needs no bound on the keys: each expires a window after its last request.
      const together = sharedWindow(redis, `${REDIS_NAMES}${name}:`, limit, windowMs);
      const own = slidingWindow(limit, windowMs, clock, { maxKeys });
      return {
        async take(key, requests) {
          const verdict = await ask(() => together.take(key, requests));
          if (!verdict) return own.take(key, requests);
          if (verdict.allowed) own.take(key, requests);
          return verdict;
        },
      };
    },
    group(rules) {
      const own = ownGroup(rules, clock);
      const together = (takes: readonly Take[], counts: boolean) =>
        takeShared(
          redis,
          takes.map(({ window, key, amount }) => {
            const { name, limit, windowMs } = rules[window] as WindowRule;
            return { name: `${REDIS_NAMES}${name}:${key}`, limit, windowMs, amount };
          }),
          { counts },
        );
      return {
        async take(takes) {
          if (takes.length === 0) return [];
          const verdicts = await ask(() => together(takes, true));
          if (!verdicts) return own.take(takes);
          if (verdicts.every(({ allowed }) => allowed)) own.take(takes);
          return verdicts;
        },
        async look(takes) {
          if (takes.length === 0) return [];
          return (await ask(() => together(takes, false))) ?? own.look(takes);
        },
      };
    },
    async open() {
      await inTime(redis.connect(), PAUSE_MS).catch(goAlone);
    },
    // As a request would, so that Redis being away or back is noticed without requests too.
    redisAnswers: async () => (await ask(() => tryRedis(redis))) !== undefined,
    close: () => redis.disconnect(),
  };

  /** Undefined without an answer, or when Redis was not asked. */
  async function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (!shared) {
      if (performance.now() < nextTry) return undefined;
      nextTry = performance.now() + pauseMs;
    }
    try {
      const answer = await inTime(question(), timeoutMs).catch(async (error) => {
        if (!isUnknownScript(error)) throw error;
        // It has answered, so it is there, and has as long for the next answer.
        await inTime(load(), timeoutMs);
        return inTime(question(), timeoutMs);
      });
      if (!shared) comeBack();
      return answer;
    } catch (error) {
      goAlone(error as Error);
      return undefined;
    }
  }

  /** Once for all who wait for it. */
  function load(): Promise<void> {
    loading ??= loadScript(redis).finally(() => {
      loading = undefined;
    });
    return loading;
  }

  /** Many requests may have waited for the same answer: only the first of them logs it, and has the connection renewed. */
  function goAlone(error: Error): void {
    if (!shared) return;
    shared = false;
    nextTry = performance.now() + pauseMs;
    // Not the error itself: it contains the commands sent, and the first one contains the password.
    const reason = (redis.status === "ready" ? error : (lastProblem ?? error)).message;
    logger.warn({ reason }, "Redis is unreachable. Until it is back, each process counts rate limits on its own.");
    // It may hang, or have become a replica: a new connection finds out.
    if (redis.status === "ready") redis.disconnect(true);
  }

  function comeBack(): void {
    shared = true;
    logger.info("Redis is back. Rate limits are shared again.");
  }
}

/** The answer, or a rejection when it takes too long. */
function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${patienceMs} ms`));
    // One turn of the event loop later: when this process itself was blocked, the answer is in the socket and is read now.
    const timer = setTimeout(() => setImmediate(giveUp), patienceMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
