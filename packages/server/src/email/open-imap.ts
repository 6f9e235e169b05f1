import type { Socket } from "node:net";
import { connect as openTls, type TLSSocket } from "node:tls";
import { ImapFlow, type ImapFlowOptions } from "imapflow";
import type { VettedSockets } from "../outbound/vetted-socket.ts";
import { type Credentials, imapAuth } from "./credentials.ts";
import type { MailServer } from "./email-settings.ts";

const MB = 1024 * 1024;
/** Above `MOST_MAIL_BYTES`: a server may count a mail a little smaller than it is. A larger one is not fetched whole. */
const MAX_LITERAL_BYTES = 64 * MB;
const MAX_RESPONSE_BYTES = 80 * MB;
/** For the greeting, and for any later silence while an answer is expected. */
const IMAP_TIMEOUT_MS = 10_000;

/**
 * A client for a mailbox, on a connection to a vetted address; it is not signed in yet (`connect()`), and cannot connect again.
 * With `starttls` nothing is sent before TLS, and a server that does not offer it is refused.
 *
 * @param options replaces defaults, for connections that idle
 * @throws as `VettedSockets.connect`
 */
export async function openImap(
  sockets: VettedSockets,
  { server, username, credentials }: { server: MailServer; username: string; credentials: Credentials },
  signal?: AbortSignal,
  options: Partial<ImapFlowOptions> = {},
): Promise<ImapFlow> {
  const { host, port, security } = server;
  const socket = await sockets.connect({ host, port, security, signal });
  const client = new ImapFlow({
    // STARTTLS is required or not used; never used if offered.
    ...{ host, port, secure: security === "tls", doSTARTTLS: security === "starttls" },
    auth: { user: username, ...imapAuth(credentials) },
    transport: {
      connect(_options, onConnect) {
        setImmediate(onConnect);
        return socket as TLSSocket;
      },
      upgrade: (plain, _options, onSecure) =>
        openTls({ socket: plain as unknown as Socket, ...sockets.tlsOptions(host) }, onSecure),
    },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    clientInfo: { name: "Frontdesk" },
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: MAX_RESPONSE_BYTES,
    greetingTimeout: IMAP_TIMEOUT_MS,
    socketTimeout: IMAP_TIMEOUT_MS,
    ...options,
  });
  // Errors of commands are thrown there; without a listener a broken connection would end the process.
  client.on("error", () => {});
  signal?.addEventListener("abort", () => client.close(), { once: true });
  return client;
}
