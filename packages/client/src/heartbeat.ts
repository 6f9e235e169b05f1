import type { Clock } from "./clock.ts";

const QUIET_MS = 25_000;
/** With the quiet before the question, 45 s of silence. */
const ANSWER_MS = 20_000;
/** After a laptop was opened: a live connection answers at once. */
const QUICK_ANSWER_MS = 5_000;

export interface Heartbeat {
  /** Something came: the other side is there. */
  heard(): void;
  /** Asks now, and waits less long: the connection may have died while the tab was hidden. */
  check(): void;
  stop(): void;
}

/**
 * Notices that the other side is gone: asks after 25 s of silence, and gives up when 20 s later still nothing has come.
 * The second wait begins with the question, because timers of a hidden tab may come a minute late: late timers alone
 * never end a good connection.
 */
export function startHeartbeat(clock: Clock, ask: () => void, giveUp: () => void): Heartbeat {
  let cancel = () => {};
  const waitFor = (ms: number, act: () => void) => {
    cancel();
    cancel = clock.after(ms, act);
  };
  const askWithin = (ms: number) => {
    waitFor(ms, giveUp);
    ask();
  };
  const heard = () => waitFor(QUIET_MS, () => askWithin(ANSWER_MS));
  heard();
  return { heard, check: () => askWithin(QUICK_ANSWER_MS), stop: () => cancel() };
}
