import { systemTimeouts, type Timeouts } from "@frontdesk/server/timeouts";

export interface SkippingClock {
  /** ms since the epoch */
  now(): number;
  timeouts: Timeouts;
  /** Sets the clock forward; what would have happened by then happens at once. */
  skip(ms: number): void;
}

interface Wait {
  dueAt: number;
  act(): void;
  cancel(): void;
}

/**
 * A clock that runs as any other and can be set forward, so that a run need not sit through the pause after each message. Skip
 * only while no model is asked: its time limits are set by this clock, too.
 *
 * @param start ms since the epoch
 */
export function skippingClock(start: number): SkippingClock {
  const origin = start - performance.now();
  let skipped = 0;
  const waiting = new Set<Wait>();
  const now = () => Math.round(origin + performance.now() + skipped);
  const arm = (wait: Wait) => {
    wait.cancel = systemTimeouts.after(Math.max(0, wait.dueAt - now()), () => {
      waiting.delete(wait);
      wait.act();
    });
  };
  return {
    now,
    timeouts: {
      after(ms, act) {
        const wait: Wait = { dueAt: now() + ms, act, cancel: () => {} };
        waiting.add(wait);
        arm(wait);
        return () => {
          waiting.delete(wait);
          wait.cancel();
        };
      },
    },
    skip(ms) {
      skipped += ms;
      for (const wait of waiting) {
        wait.cancel();
        arm(wait);
      }
    },
  };
}
