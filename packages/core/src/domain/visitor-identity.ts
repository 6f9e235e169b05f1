/**
 * How long an identity signed by an owner's server is valid, and a session that was verified by it
 * (docs/decisions/0023-verified-visitors.md). Times in ms since the epoch, except for the claims, which are in seconds (RFC
 * 7519).
 */

/** The furthest that `exp` may be in the future. */
const LONGEST_MS = 24 * 60 * 60_000;
/** The allowed difference between the clocks of two servers. */
const TOLERANCE_MS = 30_000;

/** Until when an identity is valid, or why it is not. */
export type IdentityTime = { until: number } | { problem: "no-end" | "expired" | "too-long" | "too-early" };

/** The value of `exp`, and of `nbf` if present. */
export function identityTime({ exp, nbf }: { exp?: unknown; nbf?: unknown }, now: number): IdentityTime {
  if (typeof exp !== "number" || !Number.isFinite(exp)) return { problem: "no-end" };
  const until = Math.floor(exp * 1_000);
  if (hasRunOut(until, now)) return { problem: "expired" };
  if (until > now + LONGEST_MS + TOLERANCE_MS) return { problem: "too-long" };
  if (typeof nbf === "number" && nbf * 1_000 > now + TOLERANCE_MS) return { problem: "too-early" };
  return { until };
}

/** Whether a verified session has expired. */
export function hasRunOut(verifiedUntil: number, now: number): boolean {
  return verifiedUntil + TOLERANCE_MS <= now;
}
