/** The clock of leases and retries (docs/decisions/0014). */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { follow, steadyClock } from "./runtime.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a steady clock goes on by itself, whatever is done to the machine's own", () => {
  const clock = steadyClock(1_000_000);
  vi.setSystemTime(Date.now() + HOUR_MS);
  vi.advanceTimersByTime(250);
  expect(clock.now()).toBe(1_000_250);
});

test("a process whose machine slept is by the clock of the others again within 15 seconds", async () => {
  const clock = steadyClock(1_000_000);
  // The others went on for an hour, which this machine has not seen.
  const shared = vi.fn(async () => 1_000_000 + HOUR_MS);
  const leave = follow(clock, shared);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(clock.now()).toBe(1_014_999);
  await vi.advanceTimersByTimeAsync(1);
  expect(clock.now()).toBe(1_000_000 + HOUR_MS);
  leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shared).toHaveBeenCalledTimes(1);
});

test("while the database is away it goes on by itself", async () => {
  const clock = steadyClock(1_000_000);
  const leave = follow(clock, () => Promise.reject(new Error("The database is away.")));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clock.now()).toBe(1_060_000);
  leave();
});
