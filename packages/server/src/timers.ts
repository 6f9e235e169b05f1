/** Waiting, as parts of the process do it that a test wants to hold still. */
export interface Timers {
  /** Does something once, in so many ms; the answer calls it off. A timer alone keeps no process alive. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};
