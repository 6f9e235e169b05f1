import { expect, test } from "vitest";
import { hasRunOut, identityTime } from "./visitor-identity.ts";

const NOW = Date.parse("2026-11-20T09:00:00.000Z");
const seconds = NOW / 1_000;
const DAY = 24 * 60 * 60;

test("an identity counts until its end, with 30 seconds for clocks that are apart", () => {
  expect(identityTime({ exp: seconds + 300 }, NOW)).toEqual({ until: NOW + 300_000 });
  expect(identityTime({ exp: seconds - 29 }, NOW)).toEqual({ until: NOW - 29_000 });
  expect(identityTime({ exp: seconds - 30 }, NOW)).toEqual({ problem: "expired" });
  expect(hasRunOut(NOW - 29_999, NOW)).toBe(false);
  expect(hasRunOut(NOW - 30_000, NOW)).toBe(true);
});

test("it has an end, at most 24 hours ahead", () => {
  expect(identityTime({ exp: seconds + DAY + 30 }, NOW)).toEqual({ until: NOW + DAY * 1_000 + 30_000 });
  expect(identityTime({ exp: seconds + DAY + 31 }, NOW)).toEqual({ problem: "too-long" });
  for (const exp of [undefined, null, "2030-01-01", `${seconds + 60}`, Number.NaN, Number.POSITIVE_INFINITY, {}]) {
    expect(identityTime({ exp }, NOW), String(exp)).toEqual({ problem: "no-end" });
  }
});

test("one that begins later does not count yet", () => {
  expect(identityTime({ exp: seconds + 300, nbf: seconds + 30 }, NOW)).toEqual({ until: NOW + 300_000 });
  expect(identityTime({ exp: seconds + 300, nbf: seconds + 31 }, NOW)).toEqual({ problem: "too-early" });
});
