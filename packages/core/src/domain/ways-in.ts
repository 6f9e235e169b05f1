/**
 * The ways in: how a browser comes to a session, and what each of them proves (docs/decisions/0069-ways-in.md). A session
 * stores its way in, and when its agent last proved who they are.
 */

export interface WayInRow {
  /** How many factors it proves by itself: something known, something held, or both. */
  factors: 1 | 2;
  /** Whether a session begins by it. The others only lead to a new password. */
  signsIn: boolean;
}

export const waysIn = {
  /** E-mail and password. */
  password: { factors: 1, signsIn: true },
  /** Something held, and a finger, a face or a PIN. */
  passkey: { factors: 2, signsIn: true },
  /** An account at a provider of the team (docs/decisions/0070-single-sign-on.md); a second one counts where the provider says so, or the owner vouches. */
  sso: { factors: 1, signsIn: true },
  /** The link of an invitation, with the password that is chosen there. */
  join: { factors: 1, signsIn: true },
  /** The one-time link of a fresh installation, with the password that is chosen there. */
  setup: { factors: 1, signsIn: true },
  /** The link for a forgotten password, by mail, from an admin or from the terminal. */
  reset: { factors: 1, signsIn: false },
} as const satisfies Record<string, WayInRow>;

export type WayIn = keyof typeof waysIn;

/** How long after a proof an agent may perform the operations whose row of the policy says `fresh`. */
export const FRESH_MS = 15 * 60_000;

/** @param verifiedAt when the agent last proved who they are */
export function isFresh(verifiedAt: number, now: number): boolean {
  return now - verifiedAt <= FRESH_MS;
}
