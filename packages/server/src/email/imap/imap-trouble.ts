import { BlockedAddress, NameNotFound } from "../../outbound/vetted-lookup.ts";
import { NoToken } from "../oauth/mailbox-tokens.ts";
import { imapReasons } from "./imap-reasons.ts";

/** `refused` needs a person; the others may end by themselves. */
export interface ImapTrouble {
  kind: "refused" | "trouble";
  reason: (typeof imapReasons)[keyof typeof imapReasons];
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
    return { kind: "refused", reason: imapReasons.refused };
  }
  if (noFolder === true) return { kind: "trouble", reason: imapReasons.noFolder };
  if (error instanceof BlockedAddress) return { kind: "trouble", reason: imapReasons.blocked };
  if (error instanceof NameNotFound) return { kind: "trouble", reason: imapReasons.noHost };
  const isCertificate = typeof code === "string" && /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(code);
  return { kind: "trouble", reason: isCertificate ? imapReasons.certificate : imapReasons.away };
}
