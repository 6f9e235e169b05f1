/**
 * A small flood by docs/decisions/0028-bounds-for-strangers.md; `npm run soak -- flood` sends for a minute, and measures times
 * and memory.
 */
import { expect, onTestFinished, test } from "vitest";
import { floodWhile } from "../packages/server/test/attack/flood.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";

const FLOOD_MS = 3_000;
const MINUTE_MS = 60_000;
/** The premise: these are exceeded. */
const REFUSED = ["messages", "new visitors", "uploads"];
/** More than an address may have open. */
const SOCKETS = 320;
const MOST_DISK_BYTES = 30_000_000;

test("one address that sends all it can by every visitor's door takes what its bounds say, and another team goes on", async () => {
  const server = await newServerProcess(undefined, { TRUST_PROXY: "loopback" });
  onTestFinished(() => server.remove());
  const [flooded, other] = [await server.team("Acme"), await server.team("Sams")];
  await server.start();
  const { counts, lasted, diskBytes, answers, presence, streamsLeft, stop } = await floodWhile(
    server,
    { flooded, other },
    {
      milliseconds: FLOOD_MS,
      sockets: SOCKETS,
      until: (heard) => REFUSED.every((door) => (heard[door]?.[429] ?? 0) > 0),
    },
  );
  const answered = (doors: string[], status: number) =>
    doors.reduce((sum, door) => sum + (counts[door]?.[status] ?? 0), 0);
  // A busy machine may need more than a minute for it, and each minute has its bounds.
  const minutes = Math.ceil(lasted / MINUTE_MS);
  // 30 kB each of 256 kB; the flood began with 20 visitors.
  expect(answered(["messages"], 201)).toBeLessThanOrEqual(9 * minutes);
  expect(answered(["new visitors"], 201)).toBeLessThanOrEqual(10 + 30 * (minutes - 1));
  expect(answered(["uploads"], 201)).toBeLessThanOrEqual(25 * minutes);
  expect(answered(["unknown tokens", "malformed tokens"], 401)).toBeLessThanOrEqual(600 * minutes);
  expect(diskBytes).toBeLessThan(MOST_DISK_BYTES);

  expect(answers.times.length).toBeGreaterThan(0);
  expect(answers.failed).toBe(0);
  expect(presence.came).toBeGreaterThan(0);
  expect(presence.heard).toBe(presence.came);
  expect(streamsLeft).toBe(0);
  expect(stop.code, server.log()).toBe(0);
});
