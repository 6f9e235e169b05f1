/** Specification, "Limits"; decision 30. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { slidingWindow } from "./sliding-window.ts";

const LIMIT = 60;
const WINDOW_MS = 60_000;

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

test("exactly 60 requests pass in any minute, whenever they arrive", () => {
  fc.assert(
    fc.property(gaps, (steps) => {
      let now = 1_000;
      const limiter = slidingWindow(LIMIT, WINDOW_MS, () => now);
      const model = plainly();
      const passed: number[] = [];
      for (const step of steps) {
        now += step;
        const { allowed, remaining, limit } = limiter.take("key");
        expect({ allowed, remaining }).toEqual(model(now));
        expect(limit).toBe(LIMIT);
        if (allowed) passed.push(now);
      }
      for (const [index, time] of passed.entries()) {
        const sixtyLater = passed[index + LIMIT];
        if (sixtyLater !== undefined) expect(sixtyLater - time).toBeGreaterThanOrEqual(WINDOW_MS);
      }
    }),
    { numRuns: 300 },
  );
});

test("Retry-After is honest: waiting so long lets one pass, a second less does not, and refused ones make it no longer", () => {
  fc.assert(
    fc.property(gaps, (steps) => {
      let now = 0;
      const limiter = slidingWindow(LIMIT, WINDOW_MS, () => now);
      for (const step of steps) {
        now += step;
        limiter.take("key");
      }
      while (limiter.take("key").allowed);
      const { retryAfterSeconds } = limiter.take("key");
      expect(limiter.take("key").retryAfterSeconds).toBe(retryAfterSeconds);
      expect(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1 && retryAfterSeconds <= 60).toBe(true);
      const before = now;
      now = before + (retryAfterSeconds - 1) * 1_000 - 1 / 1_024;
      if (now > before) expect(limiter.take("key").allowed).toBe(false);
      now = before + retryAfterSeconds * 1_000;
      expect(limiter.take("key").allowed).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("after the seconds of the reset the whole limit is there again", () => {
  fc.assert(
    fc.property(gaps, (steps) => {
      let now = 0;
      const limiter = slidingWindow(LIMIT, WINDOW_MS, () => now);
      let { resetSeconds } = limiter.take("key");
      for (const step of steps) {
        now += step;
        resetSeconds = limiter.take("key").resetSeconds;
      }
      expect(Number.isInteger(resetSeconds) && resetSeconds >= 1 && resetSeconds <= 60).toBe(true);
      now += resetSeconds * 1_000;
      expect(limiter.take("key").remaining).toBe(LIMIT - 1);
    }),
    { numRuns: 100 },
  );
});

test("keys do not share a limit", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 900 }))), (arrivals) => {
      let now = 0;
      const together = slidingWindow(3, 10_000, () => now);
      const apart = Array.from({ length: 10 }, () => slidingWindow(3, 10_000, () => now));
      for (const [key, step] of arrivals) {
        now += step;
        expect(together.take(String(key))).toEqual(apart[key]?.take("it"));
      }
    }),
  );
});

test("a limit of a million is kept as exactly as a small one", () => {
  let now = 0;
  const limiter = slidingWindow(1_000_000, WINDOW_MS, () => now);
  for (let count = 0; count < 1_000_000; count += 1) {
    if (!limiter.take("key").allowed) throw new Error(`Request ${count} was refused.`);
  }
  expect(limiter.take("key")).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 60 });
  now = WINDOW_MS;
  expect(limiter.take("key")).toMatchObject({ allowed: true, remaining: 999_999 });
});
