import type { Clock } from "./clock.ts";

export interface HeldClock extends Clock {
  /** Advances the time; timers due on the way run at their time, in order. */
  advance(ms: number): void;
  /** Milliseconds until the next timer; undefined when there is none. */
  next(): number | undefined;
}

/** A clock that the test advances. Random numbers are given by the test. */
export function heldClock(random = () => 0): HeldClock {
  let time = Date.parse("2026-11-20T09:00:00.000Z");
  let due: { at: number; act: () => void }[] = [];
  const first = () => due.toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => time,
    random: () => random(),
    after(ms, act) {
      const timer = { at: time + ms, act };
      due.push(timer);
      return () => {
        due = due.filter((each) => each !== timer);
      };
    },
    advance(ms) {
      const until = time + ms;
      for (let timer = first(); timer && timer.at <= until; timer = first()) {
        const { at, act } = timer;
        due = due.filter((each) => each !== timer);
        time = at;
        act();
      }
      time = until;
    },
    next() {
      const timer = first();
      return timer && timer.at - time;
    },
  };
}
