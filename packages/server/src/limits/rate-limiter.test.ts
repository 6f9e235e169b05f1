/** Specification, "Limits"; decision 30. The same tests for every store of the window. */
import { randomUUID } from "node:crypto";
import { type RedisServer, startRedis } from "@frontdesk/testing/redis-server";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Verdict } from "./rate-limiter.ts";
import { isUnknownScript, loadScript, sharedWindow } from "./shared-window.ts";
import { slidingWindow } from "./sliding-window.ts";

const LIMIT = 60;
const WINDOW_MS = 60_000;

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = patientConnection(server.url);
  await redis.connect();
  await loadScript(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.kill();
});

/** Unlike the product's, it waits for an answer without a timeout: these tests check what is counted, not how fast. */
function patientConnection(url: string): Redis {
  return new Redis(url, { lazyConnect: true });
}

type Clock = () => number;

const WINDOWS = [
  {
    kept: "in the process",
    runs: 300,
    manyRequests: 1_000_000,
    make: (limit: number, windowMs: number, clock: Clock) => slidingWindow(limit, windowMs, clock),
  },
  {
    // Each request is a way to Redis and back.
    kept: "in Redis",
    runs: 25,
    manyRequests: 20_000,
    make: (limit: number, windowMs: number, clock: Clock) =>
      sharedWindow(redis, `test:${randomUUID()}:`, limit, windowMs, clock),
  },
];

/** The rule word by word: a request passes while fewer than `LIMIT` have passed in the last minute. */
function plainly() {
  const passed: number[] = [];
  return (now: number) => {
    const recent = passed.filter((time) => time > now - WINDOW_MS);
    const allowed = recent.length < LIMIT;
    if (allowed) passed.push(now);
    return { allowed, remaining: LIMIT - recent.length - (allowed ? 1 : 0) };
  };
}

/** Arrivals as the gaps between them: bursts, trickles and pauses. */
const gaps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    // Parts of a millisecond as the clock has them, in fractions that add up exactly.
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 1_500 * 1_024 }).map((parts) => parts / 1_024) },
    { weight: 1, arbitrary: fc.constantFrom(999, 1_000, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1, 200_000) },
  ),
  { maxLength: 400, size: "max" },
);

describe.each(WINDOWS)("a window $kept", ({ runs, manyRequests, make }) => {
  test("exactly 60 requests pass in any minute, whenever they arrive", async () => {
    await fc.assert(
      fc.asyncProperty(gaps, async (steps) => {
        let now = 1_000;
        const limiter = make(LIMIT, WINDOW_MS, () => now);
        const model = plainly();
        const passed: number[] = [];
        for (const step of steps) {
          now += step;
          const { allowed, remaining, limit } = await limiter.take("key");
          expect({ allowed, remaining }).toEqual(model(now));
          expect(limit).toBe(LIMIT);
          if (allowed) passed.push(now);
        }
        for (const [index, time] of passed.entries()) {
          const sixtyLater = passed[index + LIMIT];
          if (sixtyLater !== undefined) expect(sixtyLater - time).toBeGreaterThanOrEqual(WINDOW_MS);
        }
      }),
      { numRuns: runs },
    );
  });

  test("Retry-After is honest: waiting so long lets one pass, a second less does not, and refused ones make it no longer", async () => {
    await fc.assert(
      fc.asyncProperty(gaps, async (steps) => {
        let now = 1;
        const limiter = make(LIMIT, WINDOW_MS, () => now);
        for (const step of steps) {
          now += step;
          await limiter.take("key");
        }
        while ((await limiter.take("key")).allowed);
        const { retryAfterSeconds } = await limiter.take("key");
        expect((await limiter.take("key")).retryAfterSeconds).toBe(retryAfterSeconds);
        expect(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1 && retryAfterSeconds <= 60).toBe(true);
        const before = now;
        now = before + (retryAfterSeconds - 1) * 1_000 - 1 / 1_024;
        if (now > before) expect((await limiter.take("key")).allowed).toBe(false);
        now = before + retryAfterSeconds * 1_000;
        expect((await limiter.take("key")).allowed).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  test("after the seconds of the reset the whole limit is there again", async () => {
    await fc.assert(
      fc.asyncProperty(gaps, async (steps) => {
        let now = 1;
        const limiter = make(LIMIT, WINDOW_MS, () => now);
        let { resetSeconds } = await limiter.take("key");
        for (const step of steps) {
          now += step;
          resetSeconds = (await limiter.take("key")).resetSeconds;
        }
        expect(Number.isInteger(resetSeconds) && resetSeconds >= 1 && resetSeconds <= 60).toBe(true);
        now += resetSeconds * 1_000;
        expect((await limiter.take("key")).remaining).toBe(LIMIT - 1);
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  });

  test("keys do not share a limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 900 }))),
        async (arrivals) => {
          let now = 1;
          const together = make(3, 10_000, () => now);
          const apart = Array.from({ length: 10 }, () => make(3, 10_000, () => now));
          for (const [key, step] of arrivals) {
            now += step;
            expect(await together.take(String(key))).toEqual(await apart[key]?.take("it"));
          }
        },
      ),
      { numRuns: Math.ceil(runs / 3) },
    );
  });

  test(`a limit of ${manyRequests} is kept as exactly as a small one`, async () => {
    let now = 1;
    const limiter = make(manyRequests, WINDOW_MS, () => now);
    const early = manyRequests / 2 + 234;
    await passAll(early);
    now += 30_000;
    await passAll(manyRequests - early);
    expect(await limiter.take("key")).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 30 });
    now += 30_000;
    expect(await limiter.take("key")).toMatchObject({ allowed: true, remaining: early - 1 });
    now += 60_000;
    expect(await limiter.take("key")).toMatchObject({ allowed: true, remaining: manyRequests - 1 });

    async function passAll(count: number): Promise<void> {
      let refused = 0;
      // In parts: a busy machine would take longer over all of them than the connection waits for one answer.
      for (let asked = 0; asked < count; asked += 1_000) {
        const verdicts: (Verdict | Promise<Verdict>)[] = [];
        for (let part = asked; part < Math.min(asked + 1_000, count); part += 1) verdicts.push(limiter.take("key"));
        for (const verdict of verdicts) if (!(await verdict).allowed) refused += 1;
      }
      expect(refused).toBe(0);
    }
  });
});

describe("a window in the process that is full", () => {
  const KEYS = 10_000;

  test("never forgets a key: made-up keys give no key its limit back", () => {
    let now = 1;
    const limiter = slidingWindow(3, WINDOW_MS, () => now, { maxKeys: KEYS });
    for (let count = 0; count < 3; count += 1) limiter.take("known");
    for (let made = 0; made < KEYS * 3; made += 1) {
      limiter.take(`made-up-${made}`);
      expect(limiter.take("known").allowed).toBe(false);
    }
    now += WINDOW_MS;
    expect(limiter.take("known")).toMatchObject({ allowed: true, remaining: 2 });
  });

  test("counts further keys together, never without a limit, and apart again when there is room", () => {
    let now = 1;
    const limiter = slidingWindow(3, WINDOW_MS, () => now, { maxKeys: KEYS });
    for (let made = 0; made < KEYS; made += 1) limiter.take(`made-up-${made}`);
    let passed = 0;
    for (let made = 0; made < 20_000; made += 1) if (limiter.take(`further-${made}`).allowed) passed += 1;
    // 256 windows, each of the same limit.
    expect(passed).toBe(256 * 3);
    expect(limiter.take("further-1").allowed).toBe(false);
    now += WINDOW_MS;
    expect(limiter.take("further-1")).toMatchObject({ allowed: true, remaining: 2 });
    expect(limiter.take("further-2")).toMatchObject({ allowed: true, remaining: 2 });
  });

  test("a key that was counted together does not get a second limit when there is room", () => {
    let now = 1;
    const limiter = slidingWindow(3, WINDOW_MS, () => now, { maxKeys: 1 });
    limiter.take("first");
    now += WINDOW_MS / 2;
    for (let count = 0; count < 3; count += 1) expect(limiter.take("further").allowed).toBe(true);
    now += WINDOW_MS / 2;
    expect(limiter.take("further")).toMatchObject({ allowed: false, retryAfterSeconds: 30 });
  });
});

test("a window in steps lets never more than its limit pass in any window, and is as honest", () => {
  fc.assert(
    fc.property(gaps, (steps) => {
      let now = 1;
      const limiter = slidingWindow(LIMIT, WINDOW_MS, () => now, { grainMs: 1_000 });
      const passed: number[] = [];
      for (const step of steps) {
        now += step;
        if (limiter.take("key").allowed) passed.push(now);
      }
      for (const [index, time] of passed.entries()) {
        const later = passed[index + LIMIT];
        if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(WINDOW_MS);
      }
      while (limiter.take("key").allowed);
      now += limiter.take("key").retryAfterSeconds * 1_000;
      expect(limiter.take("key").allowed).toBe(true);
    }),
  );
});

describe("a window in Redis", () => {
  test("is one for all who ask, also at the same moment, and by Redis' own clock", async () => {
    const other = patientConnection(server.url);
    await other.connect();
    const prefix = `test:${randomUUID()}:`;
    const windows = [redis, other].map((connection) => sharedWindow(connection, prefix, LIMIT, WINDOW_MS));
    const verdicts = await Promise.all(Array.from({ length: 200 }, (_, index) => windows[index % 2]?.take("key")));
    other.disconnect();
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(LIMIT);
    expect(new Set(verdicts.filter((verdict) => verdict?.allowed).map((verdict) => verdict?.remaining)).size).toBe(
      LIMIT,
    );
    expect(verdicts.at(-1)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 60, resetSeconds: 60 });
  });

  test("leaves nothing behind when its minute is over", async () => {
    const prefix = `test:${randomUUID()}:`;
    await sharedWindow(redis, prefix, LIMIT, 500).take("key");
    expect(await redis.keys(`${prefix}*`)).toEqual([`${prefix}key`]);
    await expect.poll(() => redis.exists(`${prefix}key`)).toBe(0);
  });

  test.each([999, 1_000, 1_001, 2_000])("forgets %i old requests at once, and none of the others", async (old) => {
    let now = 1;
    const window = sharedWindow(redis, `test:${randomUUID()}:`, 10_000, WINDOW_MS, () => now);
    const pass = (count: number) => Promise.all(Array.from({ length: count }, () => window.take("key")));
    await pass(old);
    now += 30_000;
    await pass(5);
    now += 30_000;
    expect(await window.take("key")).toMatchObject({ remaining: 10_000 - 6 });
  });

  test("says when Redis has forgotten its script, and counts on once it is loaded again", async () => {
    const window = sharedWindow(redis, `test:${randomUUID()}:`, 3, WINDOW_MS);
    await window.take("key");
    await redis.script("FLUSH");
    await expect(window.take("key")).rejects.toSatisfy(isUnknownScript);
    await loadScript(redis);
    expect(await window.take("key")).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("a clock that was set back by a day locks no client out", async () => {
    let now = 100_000_000;
    const window = sharedWindow(redis, `test:${randomUUID()}:`, 1, WINDOW_MS, () => now);
    await window.take("key");
    expect(await window.take("key")).toMatchObject({ allowed: false });
    now -= 86_400_000;
    expect(await window.take("key")).toMatchObject({ allowed: true });
    expect(await window.take("key")).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
  });
});
