import type { Clock } from "./clock.ts";

const QUIET_MS = 25_000;
/** With the silence before the ping, 45 s. */
const ANSWER_MS = 20_000;
/** After a laptop was opened: a live connection answers at once. */
const QUICK_ANSWER_MS = 5_000;

export interface Heartbeat {
  /** Something was received: the other side is alive. */
  received(): void;
  /** Sends a ping now with a shorter timeout: the connection may have died while the tab was hidden. */
  check(): void;
  stop(): void;
}

/**
 * Detects a dead connection: pings after 25 s of silence, and gives up when nothing came for another 20 s. The second wait
 * begins with the ping, because timers of a hidden tab may fire a minute late: late timers alone never end a good connection.
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
  const received = () => waitFor(QUIET_MS, () => askWithin(ANSWER_MS));
  received();
  return { received, check: () => askWithin(QUICK_ANSWER_MS), stop: () => cancel() };
}
