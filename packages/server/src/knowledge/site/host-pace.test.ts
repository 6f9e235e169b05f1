import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { expect, test } from "vitest";
import { hostPace } from "./host-pace.ts";

test("a host gets one request a second, whoever reads it; others do not wait for it", async () => {
  const timeouts = heldTimeouts();
  let now = 0;
  const pace = hostPace({ timeouts, now: () => now });
  const signal = new AbortController().signal;
  const turns: string[] = [];
  const turn = (host: string, waitMs = 0) => pace.turn(host, { waitMs, signal }).then(() => turns.push(host));
  const all = [turn("a"), turn("a", 5_000), turn("a"), turn("b")];
  const pass = async (ms: number) => {
    now += ms;
    timeouts.advance(ms);
    await new Promise(setImmediate);
    return turns.join("");
  };
  expect(await pass(0)).toBe("ab");
  expect(await pass(999)).toBe("ab");
  expect(await pass(1)).toBe("aba");
  expect(await pass(4_999)).toBe("aba");
  expect(await pass(1)).toBe("abaa");
  await Promise.all(all);
});

test("waiting ends with the job", async () => {
  const timeouts = heldTimeouts();
  const pace = hostPace({ timeouts, now: () => 0 });
  const stop = new AbortController();
  const options = { waitMs: 0, signal: stop.signal };
  await pace.turn("a", options);
  const waiting = pace.turn("a", options);
  stop.abort(new Error("The process stops."));
  await expect(waiting).rejects.toThrow("stops");
});
