/** The waits of a process that do not outlive it, so that a test can control them. */
export interface Timeouts {
  /**
   * Calls a function once, after this many ms; the returned function cancels it. A timeout alone does not keep the process
   * alive.
   */
  after(ms: number, act: () => void): () => void;
}

export const systemTimeouts: Timeouts = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};
