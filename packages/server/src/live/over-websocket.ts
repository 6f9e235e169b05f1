import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { liveClose } from "@frontdesk/core/contract/live";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { HttpProblem } from "../http/framework/http-problem.ts";
import type { Timeouts } from "../timeouts.ts";
import type { Caller, Transport } from "./live-stream.ts";
import type { LiveStreams } from "./live-streams.ts";
import { messageProgress } from "./message-progress.ts";

/** A socket that has not answered a ping by the next one is dead. */
const PING_MS = 25_000;
/** How long a closed socket may take to close on the other side. */
const CLOSE_WITHIN_MS = 10_000;
/** The same when the server stops. */
const STOP_WITHIN_MS = 1_000;
/** More than a frame may have (LIVE_FRAME_MAX_BYTES): a slightly larger one is closed by our own rule and code. */
const MAX_PAYLOAD_BYTES = 8_192;
/** A frame comes in one part; proxies may split it in a few. */
const MAX_FRAGMENTS = 16;
/** Pieces in which an unfinished part may arrive: each takes memory of its own. */
const MAX_PIECES = 128;
/** A message must be complete within this time, or its socket is cut. */
const MESSAGE_WITHIN_MS = 10_000;

/** Node has it as an option of a new server, and stores it here. */
type Upgrading = Server & { shouldUpgradeCallback?(request: IncomingMessage): boolean };

/** Streams over WebSockets, on the server of all other HTTP requests. */
export interface WebSockets {
  /**
   * Makes a stream of a request for a WebSocket.
   *
   * @throws HttpProblem 426 when it is not one
   */
  accept(request: FastifyRequest, reply: FastifyReply): void;
  /** Waits a moment for closed sockets to close on the other side. */
  stop(): Promise<void>;
}

export interface WebSocketParts {
  /** Hands a request to the router. */
  route(request: IncomingMessage, response: ServerResponse): void;
  streams: LiveStreams;
  /** Called for a request that becomes a socket; what it throws is the answer. `closing` ends with the socket. */
  callerOf(request: FastifyRequest, closing: Duplex): Caller;
  timeouts: Timeouts;
}

export function webSockets(
  server: Server,
  path: string,
  { route, streams, callerOf, timeouts }: WebSocketParts,
): WebSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_PIECES,
  } as ServerOptions);
  const upgrades = new WeakMap<IncomingMessage, { socket: Duplex; head: Buffer }>();
  const alive = new WeakSet<WebSocket>();
  const pings = setInterval(pingAll, PING_MS).unref();

  // Other upgrades are requested as well (`curl --http2`): they are answered as ordinary requests.
  const upgrading: Upgrading = server;
  upgrading.shouldUpgradeCallback = ({ url, headers }) =>
    headers.upgrade?.toLowerCase() === "websocket" && url?.split("?")[0] === path;
  server.on("upgrade", (request, socket, head) => {
    upgrades.set(request, { socket, head });
    // A connection that breaks before it is a WebSocket is not an error of ours.
    socket.on("error", () => {});
    const response = new ServerResponse(request);
    // Through the router, so that hooks, trusted proxies and errors are those of every request.
    response.assignSocket(socket as never);
    response.shouldKeepAlive = false;
    response.once("finish", () => socket.end());
    route(request, response);
  });

  return {
    accept(request, reply) {
      const upgrade = upgrades.get(request.raw);
      if (!upgrade) throw new HttpProblem(426, "http.only-websockets");
      const caller = callerOf(request, upgrade.socket);
      reply.hijack();
      reply.raw.detachSocket(upgrade.socket as never);
      sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
        serve(socket, caller);
        cutUnfinished(socket, upgrade.socket);
      });
    },
    async stop() {
      clearInterval(pings);
      // Not `once` of node:events, which would fail for a socket that breaks.
      const left = [...sockets.clients].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      const cut = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, STOP_WITHIN_MS);
      await Promise.all(left);
      clearTimeout(cut);
    },
  };

  function serve(socket: WebSocket, caller: Caller): void {
    alive.add(socket);
    const connection = streams.connect(overWebSocket(socket), caller);
    socket.on("message", (data, isBinary) => {
      if (isBinary) connection.close(liveClose.frame, "no frame");
      else connection.receive(data.toString());
    });
    socket.on("pong", () => alive.add(socket));
    // The `close` that follows handles it.
    socket.on("error", () => {});
    socket.on("close", () => connection.gone());
  }

  /** An unfinished message would hold its bytes, and a slot, for as long as the client likes. */
  function cutUnfinished(socket: WebSocket, wire: Duplex): void {
    const progress = messageProgress();
    let cancel: (() => void) | undefined;
    const stop = () => {
      cancel?.();
      cancel = undefined;
    };
    wire.on("data", (bytes: Buffer) => {
      if (progress.see(bytes) > 0 || !progress.isUnderWay()) stop();
      if (progress.isUnderWay()) cancel ??= timeouts.after(MESSAGE_WITHIN_MS, () => socket.terminate());
    });
    wire.once("close", stop);
  }

  function pingAll(): void {
    for (const socket of sockets.clients) {
      if (alive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }
}

function overWebSocket(socket: WebSocket): Transport {
  return {
    kind: "websocket",
    send: (frame, taken) => socket.send(frame, taken && (() => taken())),
    waiting: () => socket.bufferedAmount,
    close(code, reason) {
      socket.close(code, reason);
      const cut = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref();
      socket.once("close", () => clearTimeout(cut));
    },
  };
}
