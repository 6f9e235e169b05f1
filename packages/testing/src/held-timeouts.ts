import type { Timeouts } from "@frontdesk/server/timeouts";

export interface HeldTimeouts extends Timeouts {
  /** Advances the time; timers due on the way run in order. */
  advance(ms: number): void;
  /** Whether a timer is due in exactly this time. */
  waits(ms: number): boolean;
}

/** Timeouts that run only when the test advances the time. */
export function heldTimeouts(): HeldTimeouts {
  let time = 0;
  let waiting: { at: number; act: () => void }[] = [];
  return {
    after(ms, act) {
      const timeout = { at: time + ms, act };
      waiting.push(timeout);
      return () => {
        waiting = waiting.filter((each) => each !== timeout);
      };
    },
    waits: (ms) => waiting.some(({ at }) => at === time + ms),
    advance(ms) {
      const until = time + ms;
      const next = () => waiting.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= until);
      for (let timeout = next(); timeout; timeout = next()) {
        const due = timeout;
        waiting = waiting.filter((each) => each !== due);
        time = due.at;
        due.act();
      }
      time = until;
    },
  };
}
