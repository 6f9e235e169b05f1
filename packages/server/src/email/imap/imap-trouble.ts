import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
import { BlockedAddress, NameNotFound } from "../../outbound/vetted-lookup.ts";
import { NoToken } from "../oauth/mailbox-tokens.ts";
import type { ImapReason } from "./imap-reasons.ts";

/** `refused` needs a person; the others may end by themselves. */
export interface ImapTrouble {
  kind: "refused" | "trouble";
  reason: ChannelReason<ImapReason>;
}

/** Answers to a sign-in that say nothing of the password (RFC 5530, section 3). */
const PASSING_CODES = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "CONTACTADMIN", "SERVERBUG", "OVERQUOTA"]);

/** What an error of a connection means for the account. */
export function troubleOf(error: unknown): ImapTrouble {
  if (error instanceof NoToken) {
    const { problem, reason } = error.missing;
    return { kind: problem === "away" ? "trouble" : "refused", reason };
  }
  const { authenticationFailed, serverResponseCode, code, noFolder } = (error ?? {}) as Record<string, unknown>;
  if (authenticationFailed === true && !PASSING_CODES.has(String(serverResponseCode))) {
    return { kind: "refused", reason: channelReason("imap.refused") };
  }
  if (noFolder === true) return { kind: "trouble", reason: channelReason("imap.no-folder") };
  if (error instanceof BlockedAddress) return { kind: "trouble", reason: channelReason("imap.blocked") };
  if (error instanceof NameNotFound) return { kind: "trouble", reason: channelReason("imap.no-host") };
  const isCertificate = typeof code === "string" && /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(code);
  return { kind: "trouble", reason: channelReason(isCertificate ? "imap.certificate" : "imap.away") };
}
