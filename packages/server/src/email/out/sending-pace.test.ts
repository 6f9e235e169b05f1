/** Reference, section 3 and B36: 30 a minute; answers about quotas pause the account, and no other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSendingPace } from "./sending-pace.ts";

function scene() {
  let now = 1_000_000;
  return { pace: createSendingPace(() => now), advance: (ms: number) => (now += ms) };
}

test("in any minute an account sends no more than its pace, and says how long the next one waits", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (steps, most) => {
      const { pace, advance } = scene();
      let now = 0;
      const left: number[] = [];
      for (const step of steps) {
        now += step;
        advance(step);
        const { waits } = pace.take("a", most);
        const leftIn = (minuteTo: number) => left.filter((at) => at > minuteTo - 60_000).length;
        if (waits === 0) left.push(now);
        else {
          // Then the next one may leave, and not before.
          expect(leftIn(now + waits)).toBeLessThan(most);
          expect(leftIn(now + waits - 1)).toBe(most);
        }
        expect(leftIn(now)).toBeLessThanOrEqual(most);
      }
    }),
  );
});

test("an account that is at its pace, or paused, holds up no other", () => {
  const { pace, advance } = scene();
  pace.pause("a", 600_000);
  expect(pace.take("b", 1)).toEqual({ waits: 0 });
  expect(pace.take("b", 1)).toEqual({ waits: 60_000, because: "pace" });
  advance(1);
  expect(pace.take("a", 30)).toEqual({ waits: 599_999, because: "quota" });
  expect(pace.take("c", 1)).toEqual({ waits: 0 });
  advance(599_999);
  expect(pace.take("a", 30)).toEqual({ waits: 0 });
});

test("a shorter pause does not end a longer one", () => {
  const { pace } = scene();
  pace.pause("a", 600_000);
  pace.pause("a", 1);
  expect(pace.take("a", 30)).toMatchObject({ waits: 600_000 });
});
