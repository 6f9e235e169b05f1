/** Reference, section 3 and B36: 30 a minute; answers about quotas pause the account, and no other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSendingPace } from "./sending-pace.ts";

function scene() {
  let now = 1_000_000;
  return { pace: createSendingPace(() => now), now: () => now, advance: (ms: number) => (now += ms) };
}

/** A mail comes; or one that waits comes again, so much after its turn. */
const steps = fc.array(fc.record({ after: fc.nat(10_000), late: fc.nat(3_000) }), { maxLength: 150 });

test("in any minute an account sends no more than its pace, and every mail leaves", () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (taken, most) => {
      const { pace, now, advance } = scene();
      const left: number[] = [];
      const waiting: { id: string; due: number }[] = [];
      const comes = (id: string, late: number) => {
        const { waits } = pace.take("a", most, id);
        if (waits > 0) waiting.push({ id, due: now() + waits + late });
        else left.push(now());
        expect(left.filter((at) => at > now() - 60_000).length).toBeLessThanOrEqual(most);
      };
      const passes = (until: number, late: number) => {
        for (;;) {
          const next = waiting.toSorted((one, other) => one.due - other.due)[0];
          if (!next || next.due > until) break;
          waiting.splice(waiting.indexOf(next), 1);
          advance(Math.max(0, next.due - now()));
          comes(next.id, late);
        }
        advance(Math.max(0, until - now()));
      };
      for (const [index, { after, late }] of taken.entries()) {
        passes(now() + after, late);
        comes(`mail ${index}`, late);
      }
      passes(Number.MAX_SAFE_INTEGER / 2, 0);
      expect(left).toHaveLength(taken.length);
    }),
  );
});

test("a thousand mails that wait are tried twice each", () => {
  const { pace, now, advance } = scene();
  const ids = Array.from({ length: 1_000 }, (_, index) => `mail ${index}`);
  const due = ids.map((id) => ({ id, at: now() + pace.take("a", 30, id).waits })).filter(({ at }) => at > now());
  expect(due).toHaveLength(970);
  for (const { id, at } of due) {
    advance(at - now());
    expect(pace.take("a", 30, id)).toEqual({ waits: 0 });
  }
});

test("an account that is at its pace, or paused, holds up no other", () => {
  const { pace, advance } = scene();
  pace.pause("a", 600_000);
  expect(pace.take("b", 1, "one")).toEqual({ waits: 0 });
  expect(pace.take("b", 1, "two")).toEqual({ waits: 60_000, because: "pace" });
  advance(1);
  expect(pace.take("a", 30, "one")).toEqual({ waits: 599_999, because: "quota" });
  expect(pace.take("c", 1, "one")).toEqual({ waits: 0 });
  advance(599_999);
  expect(pace.take("a", 30, "one")).toEqual({ waits: 0 });
});

test("a shorter pause does not end a longer one", () => {
  const { pace } = scene();
  pace.pause("a", 600_000);
  pace.pause("a", 1);
  expect(pace.take("a", 30, "one")).toMatchObject({ waits: 600_000 });
});
