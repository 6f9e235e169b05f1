import { createTransport, type Transporter } from "nodemailer";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import type { VettedSockets } from "../outbound/vetted-socket.ts";
import { type Credentials, smtpAuth } from "./credentials.ts";
import type { SmtpOutbound } from "./email-settings.ts";

/** For the greeting, and for any later silence. */
const SMTP_TIMEOUT_MS = 10_000;

/**
 * The transport to the mail server of an account. Each connection is to a vetted address; with `starttls` nothing is sent before
 * TLS. It keeps no connection.
 *
 * @param credentials left out: without signing in
 */
export function openSmtp(
  sockets: VettedSockets,
  { outbound, credentials }: { outbound: SmtpOutbound; credentials: Credentials | undefined },
  signal?: AbortSignal,
): Transporter {
  const { host, port, security, username } = outbound;
  const options: SMTPTransport.Options = {
    ...{ host, port, secure: security === "tls", requireTLS: security === "starttls", ignoreTLS: security === "none" },
    ...(username !== null && credentials && { auth: smtpAuth(username, credentials) }),
    tls: sockets.tlsOptions(host),
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, callback) {
      sockets.connect({ host, port, security, signal }).then(
        (connection) => {
          signal?.addEventListener("abort", () => connection.destroy(), { once: true });
          callback(null, { connection, secured: security === "tls" });
        },
        (error) => callback(error, false),
      );
    },
  };
  return createTransport(options);
}
