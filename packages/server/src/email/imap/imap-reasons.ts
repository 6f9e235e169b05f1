import type { ChannelReasonName } from "@frontdesk/core/domain/channel-reason";

/** The reasons in the state of an account that its reader notes; it ends no others. */
export const imapReasons = [
  "imap.refused",
  "imap.no-folder",
  "imap.blocked",
  "imap.no-host",
  "imap.certificate",
  "imap.away",
  "token.refused",
  "token.app",
  "token.service",
  "token.away",
] as const satisfies ChannelReasonName[];

export type ImapReason = (typeof imapReasons)[number];
