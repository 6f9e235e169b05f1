import { readSmtpUrl } from "../../mail/smtp-url.ts";
import type { MailServerAccess } from "./smtp-send.ts";

const PORTS = { "smtps:": 465, "smtp:": 587 } as const;

/** The server of SMTP_URL, for accounts without one of their own: the same server and rules as `mail/smtp-transport.ts`. */
export function installationServer(smtpUrl: string): MailServerAccess & { kind: "installation" } {
  const { url, requireTls } = readSmtpUrl(smtpUrl);
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  return {
    kind: "installation",
    // An IPv6 address has brackets in a URL alone.
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? PORTS[secure ? "smtps:" : "smtp:"] : Number(port),
    secure,
    requireTls,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
