import type { Timeouts } from "../../timeouts.ts";

const USUAL_MS = 1_000;

/** Waits before requests, so that no host gets more than one a second from this process, whichever teams read it. */
export interface HostPace {
  /**
   * @param waitMs the wait that the host asks for, where it is longer
   * @throws the reason of `signal`
   */
  turn(host: string, options: { waitMs: number; signal: AbortSignal }): Promise<void>;
}

/** @param now ms, by a clock that is never set back */
export function hostPace({ timeouts, now }: { timeouts: Timeouts; now: () => number }): HostPace {
  const freeAt = new Map<string, number>();
  return {
    async turn(host, { waitMs, signal }) {
      signal.throwIfAborted();
      const from = now();
      for (const [known, at] of freeAt) if (at <= from) freeAt.delete(known);
      const at = freeAt.get(host) ?? from;
      freeAt.set(host, at + Math.max(USUAL_MS, waitMs));
      if (at > from) await pause(timeouts, at - from, signal);
    },
  };
}

function pause(timeouts: Timeouts, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = timeouts.after(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
  });
}
