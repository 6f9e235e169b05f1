/** A subscriber's server: real HTTPS on loopback that records requests, and answers well or badly, as a test sets it. */
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { type Authority, type Certificate, newAuthority } from "./certificates.ts";

/** A request, as it was received. */
export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes as received, which the signature covers. */
  body: Buffer;
  /** When its last byte arrived, ms since 1970. */
  at: number;
  /** The first connection is 1. */
  connection: number;
  /** The server name of the TLS handshake, if there was one. */
  servername: string | undefined;
}

/** Handles a complete request. One of those below, or a test's own. */
export type Answer = (to: Exchange) => unknown;

export interface Exchange {
  request: Received;
  response: ServerResponse;
  /** The connection, for bytes that no server would send. */
  socket: TLSSocket;
  /** Ends the connection with a TCP reset. */
  reset(): void;
}

export interface Receiver {
  port: number;
  /** PEM of the authority that signed its certificate. */
  ca: string;
  /** `https://receiver.test:PORT/hook`, or another path or another host name that resolves to it. */
  url(path?: string, name?: string): URL;
  /** In the order of completion. */
  received: Received[];
  /** All TCP connections, also those without a request, and how many are open. */
  connections: { opened: number; open: number };
  /** Sets the answers for the next requests, one each; the last one is repeated. Without any: 200. */
  answers(...next: Answer[]): void;
  close(): Promise<void>;
}

/** The names in its certificate. The first is that of `url`; a test's lookup resolves it to 127.0.0.1. */
export const RECEIVER_NAMES = ["receiver.test", "*.receiver.test", "localhost", "127.0.0.1", "::1"];

/**
 * Starts a receiver on 127.0.0.1. It never closes an idle connection, so that a test sees which side does.
 *
 * @param options.authority when several receivers share one `extraCa`
 * @param options.certificate of that authority, instead of a new one for `RECEIVER_NAMES`
 * @param options.host the address to listen on
 */
export async function startReceiver(
  options: { authority?: Authority; certificate?: Certificate; host?: string } = {},
): Promise<Receiver> {
  const authority = options.authority ?? newAuthority();
  const received: Received[] = [];
  const connections = { opened: 0, open: 0 };
  const tcp = new Map<number, { socket: Socket; number: number }>();
  let next: Answer[] = [status(200)];

  const server = createServer(
    { ...(options.certificate ?? authority.certify(RECEIVER_NAMES)), keepAliveTimeout: 0 },
    (incoming, response) => void take(incoming, response).catch(() => {}),
  );
  server.on("connection", (socket: Socket) => {
    connections.opened += 1;
    connections.open += 1;
    const port = Number(socket.remotePort);
    tcp.set(port, { socket, number: connections.opened });
    socket.on("error", () => {});
    socket.once("close", () => {
      connections.open -= 1;
      tcp.delete(port);
    });
  });
  server.on("secureConnection", (socket) => socket.on("error", () => {}));
  server.on("tlsClientError", () => {});
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const socket = incoming.socket as TLSSocket;
    response.on("error", () => {});
    const connection = tcp.get(Number(socket.remotePort));
    const request: Received = {
      method: String(incoming.method),
      path: String(incoming.url),
      headers: incoming.headers,
      body: await buffer(incoming),
      at: Date.now(),
      connection: connection?.number ?? 0,
      servername: socket.servername || undefined,
    };
    received.push(request);
    const answer = next.length > 1 ? next.shift() : next[0];
    answer?.({ request, response, socket, reset: () => connection?.socket.resetAndDestroy() });
  }

  return {
    port,
    ca: authority.ca,
    url: (path = "/hook", name = "receiver.test") => new URL(`https://${name}:${port}${path}`),
    received,
    connections,
    answers: (...answers) => {
      next = answers;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const { socket } of tcp.values()) socket.destroy();
      await closed;
    },
  };
}

/** A plain answer. */
export function status(code: number, headers: Record<string, string> = {}, body: string | Buffer = ""): Answer {
  return ({ response }) => void response.writeHead(code, headers).end(body);
}

/** No answer at all. */
export const hang: Answer = () => {};

/** A TCP reset instead of an answer. */
export const reset: Answer = ({ reset }) => reset();

/** Closes the connection instead of answering. */
export const hangUp: Answer = ({ socket }) => void socket.end();

/** Exactly these bytes. */
export function bytes(text: string | Buffer, { thenEnd = false } = {}): Answer {
  return ({ socket }) => void (thenEnd ? socket.end(text) : socket.write(text));
}

/** An answer byte by byte that never ends. */
export function drip(head: string, everyMs = 20): Answer {
  return ({ socket }) => {
    let sent = 0;
    const timer = setInterval(() => socket.write(head[sent++] ?? "."), everyMs);
    socket.once("close", () => clearInterval(timer));
  };
}

/** A body of this many bytes, as fast as it is read; reports how many had been written when the connection closed. */
export function flood(total: number, onClose: (handedOver: number) => void): Answer {
  return ({ response, socket }) => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    let handedOver = 0;
    response.writeHead(200, { "content-length": total });
    const send = () => {
      while (handedOver < total && !socket.destroyed) {
        handedOver += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on("drain", send);
    socket.once("close", () => onClose(handedOver));
    send();
  };
}

/** A lookup with fixed names and no DNS; for `createOutbound`. Records its queries. */
export function namesOf(table: Record<string, readonly string[]>) {
  const asked: string[] = [];
  return {
    asked,
    table,
    lookup: async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      const addresses = table[name];
      if (!addresses) throw Object.assign(new Error("There is no such name."), { code: "ENOTFOUND" });
      return addresses;
    },
  };
}
