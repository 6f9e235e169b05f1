/**
 * How long an identity that an owner's server has signed counts, and a session that was verified by it
 * (docs/decisions/0023-verified-visitors.md). Times in ms since the epoch, but for the claims, which are in seconds (RFC 7519).
 */

/** The furthest that `exp` may lie ahead. */
const LONGEST_MS = 24 * 60 * 60_000;
/** What the clocks of two servers may be apart. */
const TOLERANCE_MS = 30_000;

/** Until when an identity counts, or why it does not. */
export type IdentityTime = { until: number } | { problem: "no-end" | "expired" | "too-long" | "too-early" };

/** What `exp` says, and `nbf` where it is there. */
export function identityTime({ exp, nbf }: { exp?: unknown; nbf?: unknown }, now: number): IdentityTime {
  if (typeof exp !== "number" || !Number.isFinite(exp)) return { problem: "no-end" };
  const until = Math.floor(exp * 1_000);
  if (hasRunOut(until, now)) return { problem: "expired" };
  if (until > now + LONGEST_MS + TOLERANCE_MS) return { problem: "too-long" };
  if (typeof nbf === "number" && nbf * 1_000 > now + TOLERANCE_MS) return { problem: "too-early" };
  return { until };
}

/** Whether what was verified until then has run out. */
export function hasRunOut(verifiedUntil: number, now: number): boolean {
  return verifiedUntil + TOLERANCE_MS <= now;
}
