import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
import { BlockedAddress, NameNotFound } from "../outbound/vetted-lookup.ts";
import { SocketTimeout, UnencryptedNotAllowed } from "../outbound/vetted-socket.ts";
import type { MailServer } from "./email-settings.ts";

/** Why a mail server cannot be connected to, and what to do. It holds nothing of what the server has said. */
export function connectionProblem(error: unknown, server: MailServer): ChannelReason {
  const { host, security } = server;
  const code = codeOf(error);
  // No quantity: it is written without separators in every language.
  const at = { host, port: String(server.port) };
  if (error instanceof BlockedAddress) return channelReason("connection.private", { host });
  if (error instanceof UnencryptedNotAllowed) return channelReason("connection.unencrypted", { host });
  if (error instanceof NameNotFound) return channelReason("connection.no-address", { host });
  if (error instanceof SocketTimeout || TIMEOUTS.includes(code)) return channelReason("connection.timeout", at);
  if (code === "ECONNREFUSED") return channelReason("connection.refused", at);
  if (CERTIFICATE.test(code)) return channelReason("connection.certificate", { host, code });
  if (code === "STARTTLS" || code === "MissingServerExtension") return channelReason("connection.no-starttls", at);
  if (PROTOCOL.test(code) && security !== "none") return channelReason("connection.no-tls", at);
  return code ? channelReason("connection.failed-code", { ...at, code }) : channelReason("connection.failed", at);
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
