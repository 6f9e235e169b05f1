import { systemTimeouts, type Timeouts } from "@frontdesk/server/timeouts";

/** A tenth of each timeout, for tests that wait for what a process looks for every second. */
export const shortTimeouts: Timeouts = { after: (ms, act) => systemTimeouts.after(ms / 10, act) };
