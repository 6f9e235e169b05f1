const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait after each attempt of a reply, ms. */
export const REPLY_WAITS_MS: readonly number[] = [10_000, 60_000, 300_000, 900_000];

/** Of a mail: over after 48 hours. Mail servers expect to be asked again for days, and refuse most first mails of strangers. */
export const MAIL_WAITS_MS: readonly number[] = [
  ...[1, 5, 15, 30, 60, 120].map((minutes) => minutes * MINUTE_MS),
  ...Array.from({ length: 11 }, () => 4 * HOUR_MS),
];

/** The waits of a channel. */
export const waitsOf = (channel: string): readonly number[] => (channel === "email" ? MAIL_WAITS_MS : REPLY_WAITS_MS);

/** A mail that may have arrived is sent once more after this, byte by byte the same: mailboxes recognise the second copy. */
export const MAIL_RESENT_AFTER_MS = 10 * MINUTE_MS;

/** The longest wait that a provider can ask for. */
export const LONGEST_ASKED_MS = 2 * Math.max(...REPLY_WAITS_MS);

export const LONGEST_POSTPONED_MS = 4 * HOUR_MS;

/** For all parts of a reply together. */
export const REPLY_TIMEOUT_MS = 60_000;
