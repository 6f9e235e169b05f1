/** What becomes of a delivery after an attempt: "Delivery rules" 2, 3, 7 and 9; decisions 38, 39, 41 and 64. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AttemptEnding,
  DEFAULT_RETRY_WAITS_MS,
  isSuccess,
  longestWaitOf,
  nextStep,
  retryAfterMs,
  webhookResult,
} from "./retry-schedule.ts";

const waits = DEFAULT_RETRY_WAITS_MS;
const [first, second, third] = waits as [number, number, number];
/** The least and the most that chance can be. */
const LEAST = 0;
const MOST = 1 - 2 ** -32;

const answered = (status: number, retryAfterMs?: number): AttemptEnding => ({ answered: true, status, retryAfterMs });
const unanswered = (final: boolean): AttemptEnding => ({ answered: false, final });

/** The step after attempt `attempt` of the default four. */
const after = (ending: AttemptEnding, attempt = 1, chance = LEAST) =>
  nextStep(webhookResult(ending, attempt, waits), attempt, waits, chance);

test("the waits are 1, 5 and 15 minutes, so that there are 4 attempts", () => {
  expect(waits).toEqual([60_000, 300_000, 900_000]);
});

describe("every status from 200 to 599", () => {
  const all = Array.from({ length: 400 }, (_, index) => 200 + index);
  const expected = (status: number) => {
    if (status <= 299) return "delivered";
    if (status >= 500 || [408, 425, 429].includes(status)) return "retry";
    return "failed";
  };

  test.each([1, 2, 3])("is delivered, retried or failed as the rules say, after attempt %i", (attempt) => {
    for (const status of all) {
      expect({ status, step: after(answered(status), attempt).step }).toEqual({ status, step: expected(status) });
    }
  });

  test("is final after the fourth attempt, and success is success then too", () => {
    for (const status of all) {
      const step = status <= 299 ? "delivered" : "failed";
      expect({ status, ...after(answered(status), 4) }).toEqual({ status, step });
    }
  });

  test("is a success when it is 2xx, and else it is not", () => {
    expect(all.filter(isSuccess)).toEqual(all.slice(0, 100));
    for (const status of [0, 100, 199, 300, 999]) expect(isSuccess(status)).toBe(false);
  });
});

test("410, redirects and all 4xx but 408, 425 and 429 are final at the first attempt, whatever Retry-After says", () => {
  for (const status of [
    300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 426, 499,
  ]) {
    expect(after(answered(status, 1_000))).toEqual({ step: "failed" });
  }
});

test("a network failure and a blocked name are retried; a blocked literal address is final", () => {
  expect(after(unanswered(false))).toEqual({ step: "retry", waitMs: first });
  expect(after(unanswered(true))).toEqual({ step: "failed" });
  expect(after(unanswered(false), 4)).toEqual({ step: "failed" });
});

describe("a wait", () => {
  test("is 1, 5 and 15 minutes after the first, second and third attempt", () => {
    const found = [1, 2, 3].map((attempt) => after(answered(500), attempt));
    expect(found).toEqual([first, second, third].map((waitMs) => ({ step: "retry", waitMs })));
  });

  test("is never shorter than the step, and jitter adds at most a tenth of it", () => {
    const chance = fc.double({ min: LEAST, max: MOST, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3), chance, (attempt, drawn) => {
        const wait = waits[attempt - 1] as number;
        const next = after(answered(503), attempt, drawn);
        if (next.step !== "retry") throw new Error("503 is retried.");
        expect(next.waitMs).toBeGreaterThanOrEqual(wait);
        expect(next.waitMs).toBeLessThanOrEqual(wait * 1.1);
        expect(Number.isInteger(next.waitMs)).toBe(true);
      }),
    );
    expect(after(answered(503), 1, MOST)).toEqual({ step: "retry", waitMs: first * 1.1 });
  });

  test("is lengthened by Retry-After, to twice the step at most, and never shortened", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(408, 425, 429, 500, 503),
        fc.constantFrom(1, 2, 3),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.double({ min: LEAST, max: MOST, noNaN: true }),
        (status, attempt, asked, drawn) => {
          const wait = waits[attempt - 1] as number;
          const honoured = Math.max(wait, Math.min(asked, 2 * wait));
          const next = after(answered(status, asked), attempt, drawn);
          if (next.step !== "retry") throw new Error(`${status} is retried.`);
          expect(next.waitMs).toBeGreaterThanOrEqual(honoured);
          expect(next.waitMs).toBeLessThanOrEqual(honoured + wait * 0.1);
        },
      ),
    );
  });

  test("is the operator's own where other waits are set", () => {
    const own = [1_000, 2_000, 3_000];
    const next = (attempt: number, set: number[]) =>
      nextStep(webhookResult(answered(500), attempt, set), attempt, set, LEAST);
    expect(next(2, own)).toEqual({ step: "retry", waitMs: 2_000 });
    expect(next(1, [])).toEqual({ step: "failed" });
  });

  test("is no longer than the longest that there can be", () => {
    for (const attempt of [1, 2, 3]) {
      const next = after(answered(503, 10_000_000), attempt, MOST);
      if (next.step !== "retry") throw new Error("503 is retried.");
      expect(next.waitMs).toBeLessThanOrEqual(longestWaitOf(waits));
    }
  });

  test("is as long as the receiver asks, where it sets no bound itself; an unknown ending has none", () => {
    expect(nextStep({ outcome: "retry", afterMs: 10 * third }, 1, waits, LEAST)).toEqual({
      step: "retry",
      waitMs: 10 * third,
    });
    expect(nextStep({ outcome: "unknown" }, 1, waits, LEAST)).toEqual({ step: "unknown" });
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-20T09:00:00.000Z");

  test.each<[string, number]>([
    ["0", 0],
    ["7", 7_000],
    [" 120 ", 120_000],
    ["999999999", 999_999_999_000],
    ["Fri, 20 Nov 2026 09:02:00 GMT", 120_000],
    ["Friday, 20-Nov-26 09:02:00 GMT", 120_000],
    ["Fri Nov 20 09:02:00 2026 GMT", 120_000],
    ["Fri, 20 Nov 2026 08:00:00 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ])("%j asks for %i ms", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  test.each([
    "",
    " ",
    "soon",
    "-5",
    "+5",
    "1.5",
    "1e3",
    "0x10",
    "5, 6",
    "٥",
    "2026-11-20T10:00:00Z",
    "NaN",
    "Infinity",
    "\0",
  ])("that cannot be read asks for nothing: %j", (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });

  test.each(["1234567890", "9".repeat(400)])("of any number of digits asks for a long wait: %s", (header) => {
    expect(retryAfterMs(header, now)).toBe(1_000_000_000_000);
  });

  test("that is missing asks for nothing", () => {
    expect(retryAfterMs(undefined, now)).toBeUndefined();
  });

  test("of any text is nothing, or a time from 0 on, so that a wait is always a number", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date().map(String)), (header) => {
        const asked = retryAfterMs(header, now);
        expect(asked === undefined || (Number.isFinite(asked) && asked >= 0)).toBe(true);
        const next = after(answered(429, asked), 1, MOST);
        expect(next).toMatchObject({
          step: "retry",
          waitMs: expect.toSatisfy((ms) => ms >= first && ms <= first * 2.1),
        });
      }),
    );
  });
});
