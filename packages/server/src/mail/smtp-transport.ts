import { createTransport } from "nodemailer";
import { readSmtpUrl } from "./smtp-url.ts";

/** For connecting, for the server's greeting, and for any later silence: a job's lease is longer than all three. */
export const SMTP_TIMEOUT_MS = 10_000;

/**
 * The transport to the mail server of SMTP_URL. `smtps://` is TLS from the start; `smtp://` uses it when the server offers it,
 * and with `?requireTLS` sends nothing, not even a password, to a server that does not.
 */
export function smtpTransport(smtpUrl: string) {
  const { url, requireTls } = readSmtpUrl(smtpUrl);
  return createTransport({
    url,
    requireTLS: requireTls,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
