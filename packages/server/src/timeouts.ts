/** The waits of a process that do not outlive it, so that a test can control them. */
export interface Timeouts {
  /** Calls a function once, after this many ms; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
}

/** Those of a server: a timeout alone does not keep the process alive. */
export const systemTimeouts: Timeouts = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Those of a command, which waits for them. */
export const commandTimeouts: Timeouts = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
