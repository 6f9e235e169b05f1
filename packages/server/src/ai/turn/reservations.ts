/** Tokens that are set aside for calls under way, as `ai_usage.reservations` has them: pairs of the time and the tokens. */
type Reserved = readonly (readonly [at: number, tokens: number])[];

/** No call lasts so long. What is still set aside then is of a process that was killed, and counts no more. */
const RESERVED_MS = 5 * 60_000;

/** @param stored undefined: nothing was set aside on that day */
function reservedAt(stored: string | undefined, now: number): Reserved {
  return (JSON.parse(stored ?? "[]") as Reserved).filter(([at]) => now - at < RESERVED_MS);
}

/** How many tokens are set aside at a time, ms since the epoch. */
export function reservedTokens(stored: string | undefined, now: number): number {
  return reservedAt(stored, now).reduce((sum, [, tokens]) => sum + tokens, 0);
}

export function withReservation(stored: string | undefined, { now, tokens }: { now: number; tokens: number }): string {
  return JSON.stringify([...reservedAt(stored, now), [now, tokens]]);
}

/** Without the newest reservation of so many tokens: an older one may be of a process that was killed. */
export function withoutReservation(
  stored: string | undefined,
  { now, tokens }: { now: number; tokens: number },
): string {
  const reserved = reservedAt(stored, now);
  const settled = reserved.findLastIndex((each) => each[1] === tokens);
  return JSON.stringify(reserved.filter((_, index) => index !== settled));
}
