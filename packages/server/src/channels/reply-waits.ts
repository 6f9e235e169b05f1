/** The wait after each attempt of a reply, ms. */
export const REPLY_WAITS_MS: readonly number[] = [10_000, 60_000, 300_000, 900_000];

export const REPLY_ATTEMPTS = REPLY_WAITS_MS.length + 1;

/** The longest wait that a provider can ask for. */
export const LONGEST_ASKED_MS = 2 * Math.max(...REPLY_WAITS_MS);

/** For all parts of a reply together. */
export const REPLY_TIMEOUT_MS = 60_000;
