/** Now, in ms since the epoch with its fractions: processes of one machine can compare it, and it does not jump. */
export const wallClock = (): number => performance.timeOrigin + performance.now();
