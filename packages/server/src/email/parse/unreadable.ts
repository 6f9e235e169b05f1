/** Why a mail could not be read. */
export const UNREADABLE = [
  "too-many-parts",
  "too-many-lines",
  "nested-too-deep",
  "headers-too-long",
  "took-too-long",
  "too-much-memory",
  "parser-failed",
] as const;
export type UnreadableReason = (typeof UNREADABLE)[number];

/** A mail beyond our bounds: reading it again would end in the same way. */
export class MailRefused extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(reason);
    this.reason = reason;
  }
}
