/** Reference, section 3 and B36: 30 a minute; answers about quotas pause the account, and no other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSendingPace } from "./sending-pace.ts";

const MANY = 1_000_000;
const OFTEN = { minute: 30, day: MANY };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

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
        const { waits } = pace.take("a", { minute: most, day: MANY }, id);
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
  const due = ids.map((id) => ({ id, at: now() + pace.take("a", OFTEN, id).waits })).filter(({ at }) => at > now());
  expect(due).toHaveLength(970);
  for (const { id, at } of due) {
    advance(at - now());
    expect(pace.take("a", OFTEN, id)).toEqual({ waits: 0 });
  }
});

test("an account that is at its pace, or paused, holds up no other", () => {
  const { pace, advance } = scene();
  pace.pause("a", 600_000);
  expect(pace.take("b", { minute: 1, day: MANY }, "one")).toEqual({ waits: 0 });
  expect(pace.take("b", { minute: 1, day: MANY }, "two")).toEqual({ waits: 60_000, because: "pace" });
  advance(1);
  expect(pace.take("a", OFTEN, "one")).toEqual({ waits: 599_999, because: "quota" });
  expect(pace.take("c", { minute: 1, day: MANY }, "one")).toEqual({ waits: 0 });
  advance(599_999);
  expect(pace.take("a", OFTEN, "one")).toEqual({ waits: 0 });
});

test("a shorter pause does not end a longer one", () => {
  const { pace } = scene();
  pace.pause("a", 600_000);
  pace.pause("a", 1);
  expect(pace.take("a", OFTEN, "one")).toMatchObject({ waits: 600_000 });
});

test("in any day an account sends no more than its limit, and every mail has a turn", () => {
  const { pace, now, advance } = scene();
  const limits = { minute: 30, day: 40 };
  const began = now();
  const left: number[] = [];
  const waiting = Array.from({ length: 100 }, (_, index) => `mail ${index}`).flatMap((id) => {
    const turn = pace.take("a", limits, id);
    if (turn.waits > 0) return [{ id, due: now() + turn.waits, turn }];
    left.push(now());
    return [];
  });
  expect(waiting).toHaveLength(70);
  // Ten more in the next minute, then those of the next day: each is told so at once.
  const [byMinute, byDay] = [waiting.slice(0, 10), waiting.slice(10)];
  expect(byMinute.map(({ turn }) => turn)).toEqual(byMinute.map(() => ({ waits: MINUTE, because: "pace" })));
  expect(byDay.map(({ turn }) => "because" in turn && turn.because)).toEqual(byDay.map(() => "daily-limit"));
  expect(byDay.slice(0, 30).every(({ due }) => due === began + DAY)).toBe(true);
  for (const { id, due } of waiting.toSorted((one, other) => one.due - other.due)) {
    advance(Math.max(0, due - now()));
    expect(pace.take("a", limits, id)).toEqual({ waits: 0 });
    left.push(now());
    expect(left.filter((at) => at > now() - DAY).length).toBeLessThanOrEqual(40);
  }
  expect(left).toHaveLength(100);
});

test("what was sent before a start, or by another process, counts", () => {
  const { pace, now, advance } = scene();
  const limits = { minute: 30, day: 3 };
  expect(pace.mustKnow("a")).toBe(true);
  pace.know("a", [now() - 1_000, now() - DAY + 5_000, now() - 2_000]);
  expect(pace.mustKnow("a")).toBe(false);
  expect(pace.take("a", limits, "one")).toEqual({ waits: 5_000, because: "daily-limit" });
  advance(5_000);
  expect(pace.take("a", limits, "one")).toEqual({ waits: 0 });
  advance(MINUTE);
  expect(pace.mustKnow("a")).toBe(true);
  pace.know("a", [now() - MINUTE]);
  expect(pace.take("a", limits, "two")).toEqual({ waits: 0 });
  pace.know("a", [now(), now() - MINUTE]);
  // The one that this process has just sent is counted once.
  expect(pace.take("a", limits, "three")).toEqual({ waits: 0 });
  expect(pace.take("a", limits, "four")).toMatchObject({ because: "daily-limit" });
});

test("a limit that an admin raises lets go what waits", () => {
  const { pace } = scene();
  expect(pace.take("a", { minute: 30, day: 1 }, "one")).toEqual({ waits: 0 });
  expect(pace.take("a", { minute: 30, day: 1 }, "two")).toEqual({ waits: DAY, because: "daily-limit" });
  expect(pace.take("a", { minute: 30, day: 2 }, "two")).toEqual({ waits: 0 });
});
