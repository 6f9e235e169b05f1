import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { because } from "@frontdesk/core/domain/reasons";
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Logger } from "pino";
import type { TrustProxy } from "../../config.ts";
import { addressBlock } from "../../limits/address-block.ts";
import { answerError } from "./answer-error.ts";
import { HttpProblem } from "./http-problem.ts";
import { readJsonBody } from "./json-body.ts";
import { readQueryString } from "./query-string.ts";
import { serializerCompiler, validatorCompiler } from "./schema-compilers.ts";

/** Largest body of a request (decision 28). */
const BODY_LIMIT_BYTES = 1_048_576;
/** A body that is not complete by then is cut off: clients cannot hold sockets by sending slowly. */
const BODY_TIMEOUT_MS = 15_000;
/** The longest that any route may allow for a body; Node's own limit for all of them. */
const LONGEST_BODY_TIMEOUT_MS = 600_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** A client that continues to send after its answer is cut off without another one. */
const CUT_AFTER_MS = 1_000;
/** How often Node looks for requests that take too long; its own 30 seconds would make the 15 up to 45. */
const TIMEOUT_CHECK_MS = 1_000;
/** A client that stalls must not hold up a stop. */
const STOP_PATIENCE_MS = 5_000;
/** Longer than the idle time of usual proxies, so that they close first and never send into a closing socket. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** As long as an address can be (Node's 16 KiB for all headers): an id of any length is treated as unknown. */
const MAX_PARAM_LENGTH = 16_384;

/** How long a body may take. */
export interface BodyPatience {
  /** From the last byte of the headers to that of the body, unless a route allows more. */
  bodyMs: number;
  /** At least this many bytes have to arrive in this many ms. */
  pace?: { bytes: number; ms: number };
}

export interface Patience extends BodyPatience {
  /** From the first byte to the last of the headers. */
  headersMs: number;
  /** How often it is checked. */
  checkMs: number;
  /** Requests that are not answered this long after the stop began are cut off. */
  stopMs: number;
}

const PATIENCE: Patience = {
  headersMs: HEADERS_TIMEOUT_MS,
  bodyMs: BODY_TIMEOUT_MS,
  checkMs: TIMEOUT_CHECK_MS,
  stopMs: STOP_PATIENCE_MS,
};

export interface HttpServerOptions {
  logger: Logger;
  trustProxy: TrustProxy;
  /** How long a request may take to arrive; set by tests, which cannot wait 15 seconds. */
  patience?: Patience;
  /** Called when an answer was sent; `route` is the pattern, never the address itself. */
  onAnswer(answer: { method: string; route: string; status: number; seconds: number }): void;
}

/**
 * The HTTP server without its routes: framework defaults that would break the contract are corrected here, once (reference,
 * 4.1): nothing is coerced or dropped, every error has our form, and slow requests end.
 */
export function createHttpServer({
  logger,
  trustProxy,
  onAnswer,
  patience = PATIENCE,
}: HttpServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: LONGEST_BODY_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: patience.headersMs, connectionsCheckingInterval: patience.checkMs },
    forceCloseConnections: "idle",
    // Requests that arrive on an open connection during the stop are answered as usual, and the connection is closed.
    return503OnClosing: false,
    routerOptions: { querystringParser: (text) => ({ [UNREAD_QUERY]: text }), maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      awaitBody(request.raw, patience);
      answerError(error, request, reply.header("x-request-id", request.id));
    },
    clientErrorHandler: answerUnreadable,
  }) as unknown as FastifyInstance;

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);

  // The framework's own "Server listening", a line for each address: the command that starts the server prints it.
  app.log = Object.create(logger, { info: { value() {} } });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json(?:\s*;|$)/i,
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => {
      requireUtf8(request.headers["content-type"]);
      request.bodyBytes = bytes.byteLength;
      return readJsonBody(bytes);
    },
  );

  app.addHook("onRequest", async (request, reply) => {
    awaitBody(request.raw, { ...patience, ...request.routeOptions.config.patience });
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
  });
  // After every onRequest, also a route's own: authentication is refused before the query is validated.
  app.addHook("preParsing", async (request) => {
    const unread = (request.query as { [UNREAD_QUERY]?: string })[UNREAD_QUERY] ?? "";
    request.query = readQueryString(request.routeOptions.config.readsQuery === false ? "" : unread);
  });
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
    // Node itself stops looking for requests that take too long once it closes.
    const cut = setTimeout(() => app.server.closeAllConnections(), patience.stopMs);
    app.server.once("close", () => clearTimeout(cut));
  });
  // A request that arrived before the stop would otherwise keep its connection, and the stop, waiting for another one.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", async (request, reply) => {
    const answer = {
      method: request.method,
      route: request.routeOptions.url ?? "none",
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    };
    onAnswer(answer);
    const teamId = (request.actor ?? request.connection?.actor)?.teamId;
    // As the limits count it: enough to identify a flood, and of IPv6 no more than the network.
    request.log.info({ ...answer, team_id: teamId, client: addressBlock(request.ip) }, "Answered");
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(app, request.url);
    if (methods.length === 0) throw new HttpProblem(404, "http.no-such-address");
    reply.header("allow", methods.join(", "));
    throw new HttpProblem(
      405,
      because("http.other-methods", { methods: methods.filter((method) => method !== "HEAD").join(" or ") }),
    );
  });
  return app;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The raw text of a JSON body. */
    bodyBytes?: number;
  }
  interface FastifyContextConfig {
    /** Where bodies may take longer than elsewhere. */
    patience?: BodyPatience;
  }
}

/** Passes the raw query from the router, which must not throw, to the hook, which may. */
const UNREAD_QUERY = Symbol("unread query");

function requireUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "")?.[1];
  if (charset && !/^utf-?8$/i.test(charset)) throw new HttpProblem(415, "http.not-json");
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The methods that exist at the address of `url`. */
function methodsAt(app: FastifyInstance, url: string): string[] {
  const path = url.split("?")[0] as string;
  return METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
}

/**
 * Cuts off a request whose body takes too long. (Node's own limit is one for the whole server, and files take longer than
 * messages.) The rest of a body after its answer counts as well.
 *
 * The watch ends with the body or with the connection: for a request that was answered early Node emits neither `end` nor
 * `close` when its sender leaves.
 */
function awaitBody(request: IncomingMessage, { bodyMs, pace }: BodyPatience): void {
  const { headers, socket } = request;
  // A request injected by a test has no connection that could be cut.
  if (!(socket instanceof Socket) || socket.destroyed) return;
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
  let read = socket.bytesRead;
  const whole = setTimeout(cut, bodyMs).unref();
  const step =
    pace &&
    setInterval(() => {
      if (socket.bytesRead - read < pace.bytes) cut();
      read = socket.bytesRead;
    }, pace.ms).unref();
  request.once("end", end).once("close", end);
  socket.once("close", end);

  function end(): void {
    clearTimeout(whole);
    clearInterval(step);
    request.off("end", end).off("close", end);
    socket.off("close", end);
  }

  function cut(): void {
    end();
    answerUnreadable(Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    const destroy = setTimeout(() => socket.destroy(), CUT_AFTER_MS).unref();
    socket.once("close", () => clearTimeout(destroy));
  }
}

/** A request that Node's parser could not read; there is no request object yet, so the answer is written by hand. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The headers are too large."]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request took too long to arrive."]
        : ["400 Bad Request", "The request could not be read."];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}
