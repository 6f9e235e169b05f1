import { connect as connectTcp, isIP, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls } from "node:tls";
import { ImapFlow, type ImapTransport } from "imapflow";
import { BlockedAddress, type Guard, guardedLookup } from "../../outbound/vetted-lookup.ts";
import type { ImapAccount } from "./imap-account.ts";

/** Makes a client that is not connected yet. */
export type ImapConnector = (account: ImapAccount) => ImapFlow;

/** Above `MOST_MAIL_BYTES`: a server may count a mail a little smaller than it is. */
const MOST_LITERAL_BYTES = 64 * 1024 * 1024;
const MOST_RESPONSE_BYTES = 80 * 1024 * 1024;
/** Longer than every wait of a session, which ends a silent connection itself. */
const SOCKET_TIMEOUT_MS = 900_000;
const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Clients that connect only to addresses that the guard permits: a customer chooses the host (docs/decisions/0016).
 *
 * @param options.extraCa a trusted certificate (PEM) besides those that Node trusts
 */
export function createImapConnector({ guard, extraCa }: { guard: Guard; extraCa?: string | undefined }): ImapConnector {
  const transport = vettedTransport(guard);
  return ({ host, port, security, username, password }) =>
    new ImapFlow({
      ...{ host, port, transport, logger: false, auth: { user: username, pass: password } },
      secure: security === "tls",
      // STARTTLS is required or not used; never used if offered.
      doSTARTTLS: security === "starttls",
      ...(extraCa !== undefined && { tls: { ca: extraCa } }),
      disableAutoIdle: true,
      disableCompression: true,
      clientInfo: { name: "Frontdesk" },
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      maxLiteralSize: MOST_LITERAL_BYTES,
      maxResponseSize: MOST_RESPONSE_BYTES,
    });
}

function vettedTransport(guard: Guard): ImapTransport {
  const lookup = guardedLookup(guard);
  const servername = (host: string) => (isIP(host) === 0 ? { servername: host.replace(/\.$/, "") } : {});
  return {
    connect({ host, port, secure, tls }, onConnect) {
      const options: TcpNetConnectOpts = { host, port, lookup, autoSelectFamily: true, noDelay: true };
      const socket = secure
        ? connectTls({ ...options, ...tls, ...servername(host), rejectUnauthorized: true }, onConnect)
        : connectTcp(options, onConnect);
      socket.prependOnceListener("connect", () => {
        if (!guard.permits(socket.remoteAddress ?? "")) socket.destroy(new BlockedAddress());
      });
      return socket;
    },
    upgrade(plain, { host, tls }, onSecure) {
      return connectTls({ socket: plain, host, ...tls, ...servername(host), rejectUnauthorized: true }, onSecure);
    },
  };
}
