const DAY_MS = 24 * 60 * 60 * 1_000;

/** A session that was not used for this long is over. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** However much it is used, it is over this long after it began. */
export const SESSION_LIFE_MS = 90 * DAY_MS;

/** How long after a proof requests may still bring the token from before it: they were on their way. */
export const REPLACED_TOKEN_MS = 60_000;

/** Whether a session is over (docs/decisions/0025-signed-in-agents.md). */
export function sessionIsOver(
  { createdAt, lastSeenAt, endsAt }: { createdAt: number; lastSeenAt: number; endsAt: number | null | undefined },
  now: number,
): boolean {
  return now - lastSeenAt >= SESSION_IDLE_MS || now - createdAt >= SESSION_LIFE_MS || (endsAt != null && now >= endsAt);
}
