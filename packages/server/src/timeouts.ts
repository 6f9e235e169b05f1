/** The waits of a process that do not outlive it, so that a test can hold them still. */
export interface Timeouts {
  /** Does something once, in so many ms; the answer calls it off. A timeout alone keeps no process alive. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimeouts: Timeouts = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};
