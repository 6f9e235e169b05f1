/** Decision A31; reference row 37, "401 flood per IP". Over several processes: `limits/shared-limits.test.ts`. */

import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { newToken } from "../../access/token.ts";

const MAX_WRONG_KEYS = 60;
const { team, request, runtime } = await startTestApp({ TRUST_PROXY: "true" });

// The limiter's monotonic clock is stopped, so that the minute is as long as the test wants.
vi.useFakeTimers({ toFake: ["performance"] });
const seconds = (count: number) => vi.advanceTimersByTime(count * 1_000);
afterEach(() => void seconds(120));
afterAll(() => void vi.useRealTimers());

/** One request of the client at `address`, with this key or with none. */
const from = (address: string, key?: string) =>
  request("GET", "/widgets", {
    headers: { "x-forwarded-for": address, ...(key !== undefined && { "x-api-key": key }) },
  });

/** The statuses of this number of concurrent requests, each with a different wrong key; ascending. */
async function flood(address: string, count: number) {
  const keys = Array.from({ length: count }, () => newToken("key", runtime.newId(), runtime.random));
  return (await Promise.all(keys.map(async (key) => (await from(address, key)).status))).toSorted();
}

test("60 wrong keys in a minute from an address are 401, the 61st is 429 with an honest Retry-After", async () => {
  expect(await flood("203.0.113.1", 20)).toEqual(Array(20).fill(401));
  seconds(45);
  expect(await flood("203.0.113.1", 40)).toEqual(Array(40).fill(401));
  const over = await from("203.0.113.1", "x");
  expect(over).toMatchObject({
    status: 429,
    body: { message: "Too many requests. Please wait a moment and try again." },
    headers: { "retry-after": "15" },
  });
  expect(Object.keys(over.headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
  seconds(14);
  expect((await from("203.0.113.1", "x")).status).toBe(429);
  seconds(1);
  expect(await flood("203.0.113.1", 21)).toEqual([...Array(20).fill(401), 429]);
});

test("a missing, malformed, unknown or expired key counts alike", async () => {
  const acme = await team({ expiresAt: runtime.now() });
  const keys = [undefined, "", "x", newToken("key", acme.teamId, runtime.random), acme.apiKey];
  for (let count = 0; count < MAX_WRONG_KEYS; count += 1) {
    expect((await from("203.0.113.2", keys[count % keys.length])).status).toBe(401);
  }
  for (const key of keys) expect((await from("203.0.113.2", key)).status).toBe(429);
});

test("a valid key is answered from an address that has tried too many wrong ones, and is not counted there", async () => {
  const acme = await team();
  await flood("203.0.113.3", MAX_WRONG_KEYS - 1);
  for (let count = 0; count < 5; count += 1) expect((await from("203.0.113.3", acme.apiKey)).status).toBe(200);
  expect(await flood("203.0.113.3", 2)).toEqual([401, 429]);
  const known = await from("203.0.113.3", acme.apiKey);
  expect(known.status).toBe(200);
  expect(Number(known.headers["x-ratelimit-remaining"])).toBeGreaterThan(0);
});

test("other addresses are not touched; those of one IPv6 network of 64 bits are one", async () => {
  expect(await flood("203.0.113.4", MAX_WRONG_KEYS + 1)).toContain(429);
  expect((await from("203.0.113.5", "x")).status).toBe(401);
  expect((await from("::ffff:203.0.113.4", "x")).status).toBe(429);

  expect(await flood("2001:db8:0:1::1", MAX_WRONG_KEYS + 1)).toContain(429);
  expect((await from("2001:db8:0:1:ffff:ffff:ffff:ffff", "x")).status).toBe(429);
  expect((await from("2001:db8:0:2::1", "x")).status).toBe(401);
});

test("an address that is none is as any other that is none", async () => {
  for (let count = 0; count < MAX_WRONG_KEYS; count += 1) {
    expect((await from(`nobody-${count}`, "x")).status).toBe(401);
  }
  expect((await from("203.0.113.999", "x")).status).toBe(429);
});
