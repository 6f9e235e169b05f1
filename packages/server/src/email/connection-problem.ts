import { BlockedAddress, NameNotFound } from "../outbound/vetted-lookup.ts";
import { SocketTimeout, UnencryptedNotAllowed } from "../outbound/vetted-socket.ts";
import type { MailServer } from "./email-settings.ts";

/** Why a mail server cannot be connected to, as a sentence with what to do. It holds nothing of what the server has said. */
export function connectionProblem(error: unknown, { host, port, security }: MailServer): string {
  const code = codeOf(error);
  if (error instanceof BlockedAddress)
    return `${host} is in a private network. The operator of this server can allow it with CHANNEL_ALLOWED_NETWORKS.`;
  if (error instanceof UnencryptedNotAllowed)
    return `${host} can't be reached without encryption. Choose TLS or STARTTLS.`;
  if (error instanceof NameNotFound) return `The name ${host} has no address. Check how it's spelled.`;
  if (error instanceof SocketTimeout || TIMEOUTS.includes(code))
    return `${host} didn't answer on port ${port} in time. Check the host, the port and the kind of encryption.`;
  if (code === "ECONNREFUSED") return `${host} refuses connections on port ${port}. Check the host and the port.`;
  if (CERTIFICATE.test(code))
    return `The certificate of ${host} isn't trusted (${code}). Check the host, or have its certificate renewed.`;
  if (code === "STARTTLS" || code === "MissingServerExtension")
    return `${host} doesn't offer STARTTLS on port ${port}. Choose TLS, or another port.`;
  if (PROTOCOL.test(code) && security !== "none")
    return `${host} doesn't answer with TLS on port ${port}. Choose the other kind of encryption, or another port.`;
  return `Can't connect to ${host} on port ${port}${code && ` (${code})`}. Check the host, the port and the kind of encryption.`;
}

/** Certificates that are expired, for another name, or of an unknown authority. */
const CERTIFICATE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;
const PROTOCOL = /^(ERR_SSL|EPROTO|ETLS|ECONNRESET)/;
const TIMEOUTS: readonly string[] = ["ETIMEDOUT", "ETIMEOUT", "CONNECT_TIMEOUT", "GREETING_TIMEOUT", "UPGRADE_TIMEOUT"];

/** The system's or the library's code; never a text of the server. */
export function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === "string" && /^[\w-]{1,60}$/.test(code)) return code;
  return cause === undefined || cause === error ? "" : codeOf(cause);
}
