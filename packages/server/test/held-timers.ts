import type { Timers } from "../src/timers.ts";

export interface HeldTimers extends Timers {
  /** Time passes; what falls due on the way is done, in order. */
  advance(ms: number): void;
}

/** Timers that stand still until the test moves them. */
export function heldTimers(): HeldTimers {
  let time = 0;
  let waiting: { at: number; act: () => void }[] = [];
  return {
    after(ms, act) {
      const timer = { at: time + ms, act };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter((each) => each !== timer);
      };
    },
    advance(ms) {
      const until = time + ms;
      const next = () => waiting.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= until);
      for (let timer = next(); timer; timer = next()) {
        const due = timer;
        waiting = waiting.filter((each) => each !== due);
        time = due.at;
        due.act();
      }
      time = until;
    },
  };
}
