import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { SMTPServer } from "smtp-server";
import { listenProblem } from "../../listen-problem.ts";
import type { Logger } from "../../logger.ts";
import { isPublicAddress } from "../../outbound/public-address.ts";
import type { Timeouts } from "../../timeouts.ts";
import { type Deliver, LMTP_MAX_BYTES, RECIPIENTS_MAX } from "./deliver-mail.ts";
import type { LmtpRecipient } from "./find-recipient.ts";
import { Answer, createTransactions } from "./lmtp-transaction.ts";

/** Connections at once; a mail server opens 20 to one destination. Others are asked to come again. */
export const CONNECTIONS_MAX = 50;
/** RFC 5321 4.5.3.2: a server waits so long for the next command. */
const IDLE_MS = 300_000;
/** RFC 5321 4.5.3.1 allows 512 bytes, and more for each extension. */
const COMMAND_MAX_BYTES = 2_048;
/** So long mails may still come in when the server stops. */
export const STOP_MS = 5_000;

/** What the library offers beyond the protocol, and what makes no sense without passwords and certificates. */
const SWITCHED_OFF = ["AUTH", "STARTTLS", "XCLIENT", "XFORWARD", "HELP", "WIZ", "SHELL", "KILL"];

export interface LmtpServer {
  /**
   * Resolves to the port, once it listens.
   *
   * @throws OperatorError when it cannot
   */
  start(): Promise<number>;
  /** Ends idle connections at once, and the others when their mail is in, after `STOP_MS` at the latest. */
  stop(): Promise<void>;
}

/**
 * The third way in for mails: the operator's own mail server hands them over by LMTP (RFC 2033).
 *
 * ```
 * connection --> LHLO --> MAIL --> RCPT --> DATA --> a file on our disk --> taken into each account --.
 *    ^                              |         '--(cut off)--> nothing is kept                         |
 *    |                              '--(no mailbox of this address)--> 550                            |
 *    '---------- for each recipient: 250 after its commit, 451 for what may pass, 552 over 50 MB <----'
 * ```
 * No answer to a mail is a 5xx because of load: a mail server returns to the sender what is refused with one. A mail that is sent
 * again is known by its key. docs/decisions/0062-lmtp.md
 *
 * @param recipientOf the mailbox of an address
 * @param isOutside whether connections from an address are refused: there are no passwords
 */
export function createLmtpServer({
  host,
  port,
  recipientOf,
  deliver,
  timeouts,
  logger,
  idleMs = IDLE_MS,
  isOutside = isPublicAddress,
}: {
  host: string;
  port: number;
  recipientOf(address: string): Promise<LmtpRecipient | undefined>;
  deliver: Deliver;
  timeouts: Timeouts;
  logger: Pick<Logger, "info" | "warn">;
  idleMs?: number;
  isOutside?: (address: string) => boolean;
}): LmtpServer {
  const tooLate = new AbortController();
  const { accept, receive } = createTransactions({ recipientOf, deliver, signal: tooLate.signal, logger });
  /** The mails that are being received or stored, by the ids of their connections. */
  const transfers = new Map<string, { content: Readable; end: Promise<void> }>();
  const sockets = new Set<Socket>();
  let isListening = false;
  let isStopping = false;

  const server = new SMTPServer({
    ...{ lmtp: true, name: "frontdesk", logger: false, disableReverseLookup: true, disabledCommands: SWITCHED_OFF },
    ...{ hideENHANCEDSTATUSCODES: false, size: LMTP_MAX_BYTES, rejectOversized: true, socketTimeout: idleMs },
    // Some providers give addresses that the grammar does not allow (`vera.@example.jp`): their mails are mails.
    lenientAddressParsing: true,
    ...{ maxClients: CONNECTIONS_MAX, maxRecipients: RECIPIENTS_MAX, maxCommandLength: COMMAND_MAX_BYTES },
    onConnect({ remoteAddress }, done) {
      if (!isOutside(remoteAddress)) return done();
      logger.warn({ client: remoteAddress }, "A connection to LMTP_PORT from a public address was refused.");
      // Not for good: it may be a mistake in the network, and no mail is to be returned for it.
      done(new Answer(421, "Mails are taken from private networks only"));
    },
    onRcptTo(written, { envelope }, done) {
      accept(written, envelope.rcptTo).then(() => done(), done);
    },
    onData(content, { id, envelope }, done) {
      // The library and `stop` end it with an error, perhaps before it is read.
      content.on("error", () => {});
      const end = receive(content, envelope.mailFrom, envelope.rcptTo).then((answers) => {
        transfers.delete(id);
        done(null, answers);
        if (isStopping) endIdle();
      });
      transfers.set(id, { content, end });
    },
  });
  server.on("error", (error) => {
    if (isListening) logger.info({ err: error }, "A connection over LMTP has failed.");
  });
  server.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  return {
    async start() {
      const listening = server.listen(port, host);
      await once(listening, "listening").catch((error) => {
        throw listenProblem(error, { host, port, hostSetting: "LMTP_HOST", portSetting: "LMTP_PORT" }) ?? error;
      });
      isListening = true;
      const { port: real } = listening.address() as AddressInfo;
      logger.info({ host, port: real }, "Mails are taken over LMTP.");
      return real;
    },
    async stop() {
      isStopping = true;
      const closed = new Promise<void>((done) => server.close(done));
      endIdle();
      const cancel = timeouts.after(STOP_MS, () => {
        tooLate.abort();
        for (const { content } of transfers.values()) content.destroy(new Error("The server stops."));
      });
      await Promise.all([...transfers.values()].map(({ end }) => end));
      cancel();
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };

  /** Ends the connections that bring no mail at the moment. */
  function endIdle(): void {
    for (const connection of [...server.connections]) {
      if (!transfers.has(connection.id)) connection.send(421, "Frontdesk is stopping", "SYSTEM_ERROR");
    }
  }
}
