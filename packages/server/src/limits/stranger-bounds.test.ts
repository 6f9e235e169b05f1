/** docs/decisions/0028-bounds-for-strangers.md. The same tests in a process and in Redis. */
import { randomUUID } from "node:crypto";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { type RedisServer, startRedis } from "@frontdesk/testing/redis-server";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Limits } from "./rate-limiter.ts";
import { sharedLimits } from "./shared-limits.ts";
import { ownLimits } from "./sliding-window.ts";
import { createStrangerBounds, type StrangerBounds, strangerBounds } from "./stranger-bounds.ts";

const MB = 1_048_576;
let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.kill());

/** What it was refused with, or undefined when it passed. */
async function refusalOf(asked: Promise<void>) {
  const error = await asked.then(() => undefined).catch((thrown) => thrown);
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(Refusal);
  return (error as Refusal).reason;
}

/** An address that no other test has. */
const newAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join(".")}`;

async function times(count: number, act: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += 1) await act();
}

const KEPT: { kept: string; limits: () => Limits }[] = [
  { kept: "in the process", limits: ownLimits },
  {
    kept: "in Redis",
    limits: () => sharedLimits({ redisUrl: server.url, timeoutMs: 30_000, logger: pino({ level: "silent" }) }),
  },
];

describe.each(KEPT)("bounds for strangers, kept $kept", ({ limits: open }) => {
  let limits: Limits;
  let bounds: StrangerBounds;
  beforeEach(async () => {
    limits = open();
    await limits.open();
    bounds = createStrangerBounds({ limits, factor: 1, uploadMaxBytes: 25 * MB });
  });
  afterEach(() => limits.close());

  test("when one bound refuses, none is spent", async () => {
    const [address, token, other] = [newAddress(), randomUUID(), randomUUID()];
    await times(60, () => bounds.take({ address, token }, { messages: 1 }));
    await times(100, async () => {
      expect(await refusalOf(bounds.take({ address, token }, { messages: 1 }))).toMatchObject({ name: "rate-limited" });
    });
    // The address has 240 left, all of them.
    await times(240, () => bounds.take({ address }, { messages: 1 }));
    expect(await refusalOf(bounds.take({ address, token: other }, { messages: 1 }))).toMatchObject({
      name: "rate-limited",
    });
  });

  test("several acts are counted together or not at all", async () => {
    const address = newAddress();
    await times(30, () => bounds.take({ address }, { messages: 1, "new-visitors": 1 }));
    expect(await refusalOf(bounds.take({ address }, { messages: 200, "new-visitors": 1 }))).toBeDefined();
    await bounds.take({ address }, { messages: 270 });
    expect(await refusalOf(bounds.take({ address }, { messages: 1 }))).toBeDefined();
  });

  test("addresses of one IPv6 /64 are one, and a /48 has five times as much", async () => {
    const part = Math.floor(Math.random() * 0xffff).toString(16);
    const host = (subnet: number, end: number) => `2001:db8:${part}:${subnet.toString(16)}::${end.toString(16)}`;
    await bounds.take({ address: host(1, 1) }, { messages: 300 });
    expect(await refusalOf(bounds.take({ address: host(1, 2) }, { messages: 1 }))).toBeDefined();
    for (const subnet of [2, 3, 4, 5]) await bounds.take({ address: host(subnet, 1) }, { messages: 300 });
    expect(await refusalOf(bounds.take({ address: host(6, 1) }, { messages: 1 }))).toBeDefined();
    await bounds.take({ address: newAddress() }, { messages: 300 });
  });

  test("a sender who is under their own bounds gets 503 when the team has no room, and 429 at their own", async () => {
    const [team, address] = [randomUUID(), newAddress()];
    await bounds.take({ team }, { messages: 36_000 });
    expect(await refusalOf(bounds.take({ team, address }, { messages: 1 }))).toMatchObject({ name: "unavailable" });
    await bounds.take({ address }, { messages: 300 });
    expect(await refusalOf(bounds.take({ team, address }, { messages: 1 }))).toMatchObject({ name: "rate-limited" });
  });

  test("more than a bound counts as all of it, and passes when nothing else has", async () => {
    const address = newAddress();
    await bounds.take({ address }, { "written-bytes": MB });
    expect(await refusalOf(bounds.take({ address }, { "written-bytes": 1 }))).toBeDefined();
  });

  test("one file of the largest size always fits into a minute of an address that has sent nothing", async () => {
    const large = createStrangerBounds({ limits: ownLimits(), factor: 1, uploadMaxBytes: 100 * MB });
    const address = newAddress();
    await large.take({ address }, { "file-bytes": 100 * MB });
    expect(await refusalOf(large.take({ address }, { "file-bytes": 1 }))).toBeDefined();
  });
});

describe("bounds in a process", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const make = (factor = 1) => createStrangerBounds({ limits: ownLimits(), factor, uploadMaxBytes: 25 * MB });

  test("Retry-After is the longest wait of those that refuse: after it the same passes, before it does not", async () => {
    const bounds = make();
    const [address, token] = [newAddress(), randomUUID()];
    await bounds.take({ address, token }, { messages: 60 });
    vi.advanceTimersByTime(30_000);
    await bounds.take({ address }, { messages: 240 });
    expect(await refusalOf(bounds.take({ address, token }, { messages: 1 }))).toMatchObject({ retryAfterSeconds: 30 });
    const many = await refusalOf(bounds.take({ address, token }, { messages: 60, "new-visitors": 30 }));
    expect(many).toMatchObject({ retryAfterSeconds: 30 });
    // The address has its full bound only when the later requests have left the window as well.
    const all = await refusalOf(bounds.take({ address, token }, { messages: 300 }));
    expect(all).toMatchObject({ retryAfterSeconds: 60 });
    vi.advanceTimersByTime(59_000);
    expect(await refusalOf(bounds.take({ address, token }, { messages: 300 }))).toBeDefined();
    vi.advanceTimersByTime(1_000);
    expect(await refusalOf(bounds.take({ address, token }, { messages: 300 }))).toBeUndefined();
  });

  test("places are given back once, and those of one bound are not taken when another is full", () => {
    const bounds = make();
    const [address, token] = [newAddress(), randomUUID()];
    const leave = Array.from({ length: 20 }, () => bounds.enter({ address, token }, "streams"));
    expect(() => bounds.enter({ address, token }, "streams")).toThrow(Refusal);
    const others = Array.from({ length: 280 }, () => bounds.enter({ address }, "streams"));
    expect(() => bounds.enter({ address }, "streams")).toThrow(Refusal);
    leave[0]?.();
    leave[0]?.();
    others.push(bounds.enter({ address, token }, "streams"));
    expect(() => bounds.enter({ address }, "streams")).toThrow(Refusal);
  });

  test("an operator with many visitors behind one address raises their bounds, and not those of passwords and keys", async () => {
    const bounds = make(10);
    const address = newAddress();
    await bounds.take({ address }, { messages: 3_000 });
    expect(await refusalOf(bounds.take({ address }, { messages: 1 }))).toBeDefined();
    await bounds.take({ address }, { "wrong-keys": 60 });
    expect(await refusalOf(bounds.take({ address }, { "wrong-keys": 1 }))).toBeDefined();
  });
});

test("a wider network may use more than an address, a team more than a network, and an address more than a token", () => {
  const order = ["token", "address", "network", "team"];
  for (const [act, { bounds }] of Object.entries(strangerBounds)) {
    for (const per of ["minute", "hour", "at once"]) {
      const limits = bounds
        .filter((bound) => bound.per === per && order.includes(bound.by))
        .toSorted((one, other) => order.indexOf(one.by) - order.indexOf(other.by))
        .map(({ limit }) => limit);
      expect({ act, per, limits }).toEqual({ act, per, limits: limits.toSorted((one, other) => one - other) });
      expect(new Set(limits).size).toBe(limits.length);
    }
  }
});
