/** Now, in ms since 1970 with fractions: comparable between processes of one machine, and monotonic. */
export const wallClock = (): number => performance.timeOrigin + performance.now();
