import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import type { VettedConnections } from "./vetted-connections.ts";
import { BlockedAddress, type Guard, NameNotFound } from "./vetted-lookup.ts";

/** The time for all of it: looking up, connecting, TLS, sending, and the head of the answer (interface, delivery rule 6). */
export const ATTEMPT_TIMEOUT_MS = 4_000;
/** How much of an answer's body is read; the connection is closed when more follows. */
export const KEPT_BODY_BYTES = 16 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;

export interface PostRequest {
  /** https, without a user name; its fragment is not sent. */
  url: URL;
  /** Without Host, Content-Length and Connection, which are set here. */
  headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  body: string | Uint8Array;
  /** @default ATTEMPT_TIMEOUT_MS */
  timeoutMs?: number;
  /** Ends it at once, in any phase. */
  signal?: AbortSignal;
  /** @default POST */
  method?: "GET" | "POST";
  /** How much of the answer's body is read. @default KEPT_BODY_BYTES */
  maxBytes?: number;
}

export type PostOutcome = Answered | Failed;

/** The head of an answer arrived in time. The caller decides whether the status is a success; redirects are not followed. */
export interface Answered {
  outcome: "answered";
  status: number;
  /** Names in lower case; as Node reads them. At most 16 KiB. */
  responseHead: IncomingHttpHeaders;
  /** The first 16 KiB (`maxBytes`) as received, never decompressed; less when the rest did not arrive in time. */
  responseBody: Buffer;
  /** Whether the body came to its end. */
  isWhole: boolean;
  durationMs: number;
}

export interface Failed {
  outcome: "failed";
  error: Failure;
  /** Another attempt would fail as well: the URL itself contains a blocked address (decision 41). */
  final: boolean;
  /** The system's error code (ECONNREFUSED, CERT_HAS_EXPIRED), when it has one. Never an address. */
  code?: string;
  durationMs: number;
}

/**
 * - `timeout`: no head of an answer in time
 * - `blocked_address`: it would have left the public internet; nothing was sent
 * - `dns`: the name has no address
 * - `connect`: no host accepted the connection
 * - `tls`: the certificate is not trusted, or there was none
 * - `reset`: the other side closed the connection before it answered. It may have read the request
 * - `protocol`: the answer is not HTTP, or its head is too long
 * - `aborted`: the caller, or the end of the program, has ended it. It may have been read
 */
export type Failure = "timeout" | "blocked_address" | "dns" | "connect" | "tls" | "reset" | "protocol" | "aborted";

/**
 * Sends one POST, once: nothing is repeated here, and no redirect is followed. Failures are values.
 *
 * ```
 *   waiting -- head of an answer --> reading -- its end, 16 KiB, or no time left --> answered
 *      |                                '------ broken off, or the caller ends it --> answered, with what had come
 *      '-- refused, broken off, no time left, or the caller ends it --> failed
 * ```
 *
 * @throws TypeError for a URL that is not https, or headers that cannot be sent: a programming error
 */
export function post(
  connections: VettedConnections,
  guard: Guard,
  {
    url,
    headers,
    body,
    timeoutMs = ATTEMPT_TIMEOUT_MS,
    signal,
    method = "POST",
    maxBytes = KEPT_BODY_BYTES,
  }: PostRequest,
): Promise<PostOutcome> {
  if (url.protocol !== "https:") throw new TypeError(`${url.protocol} is not https.`);
  const from = performance.now();
  const sinceStart = () => Math.round(performance.now() - from);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isAddress = isIP(host) !== 0;
  const failed = (error: Failure, code?: string | undefined): Failed => ({
    outcome: "failed",
    error,
    final: error === "blocked_address" && isAddress,
    ...(code && { code }),
    durationMs: sinceStart(),
  });
  if (connections.closed || signal?.aborted) return Promise.resolve(failed("aborted"));
  // The connection does not look up an address, so the guard has to be asked here, before connecting.
  if (isAddress && !guard.permits(host)) return Promise.resolve(failed("blocked_address"));

  return new Promise((resolve) => {
    const sent = request({
      protocol: "https:",
      agent: connections.agent,
      method,
      host,
      port: Number(url.port || 443),
      path: url.pathname + url.search,
      headers: headersOf(url, headers, method === "GET" ? undefined : body),
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    let answer: IncomingMessage | undefined;
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let settled = false;

    sent.on("response", (response) => {
      // 1xx other than 101 are other events, and are correctly ignored.
      if ((response.statusCode ?? 0) < 200) return end("protocol");
      answer = response;
      response.on("data", keep);
      response.on("end", () => settle(answered(response, true)));
      response.on("error", () => end("reset"));
    });
    sent.on("error", (error) => {
      // What was received of an answer before the error is still in the socket.
      answer?.read();
      end(...reasonOf(error, sent, connections));
    });
    // Without an answer and without an error it ends only when the other side has switched protocols.
    sent.on("close", () => end("protocol"));
    // One turn of the event loop later: when this process itself was blocked, the answer is in the socket and is read first.
    const timer = setTimeout(() => setImmediate(end, "timeout"), timeoutMs);
    const abort = () => end("aborted");
    signal?.addEventListener("abort", abort, { once: true });
    connections.underway.add(abort);
    sent.end(method === "GET" ? undefined : body);

    function keep(chunk: Buffer): void {
      const room = maxBytes - keptBytes;
      if (room > 0) kept.push(chunk.subarray(0, room));
      keptBytes += Math.min(room, chunk.byteLength);
      if (chunk.byteLength > room) end("protocol");
    }

    /** Closes the connection, which cannot be used again. It is a failure only when no head of an answer has arrived. */
    function end(failure: Failure, code?: string | undefined): void {
      if (!settled) settle(answer ? answered(answer, false) : failed(failure, code));
      sent.destroy();
    }

    function settle(outcome: PostOutcome): void {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      connections.underway.delete(abort);
      resolve(outcome);
    }

    function answered({ statusCode = 0, headers: responseHead }: IncomingMessage, isWhole: boolean): Answered {
      const responseBody = Buffer.concat(kept);
      return {
        ...{ outcome: "answered", status: statusCode, responseHead, responseBody, isWhole },
        durationMs: sinceStart(),
      };
    }
  });
}

export function headersOf(url: URL, headers: PostRequest["headers"], body: PostRequest["body"] | undefined): string[] {
  const list = ["Host", url.host];
  for (const name in headers) list.push(name, headers[name] as string);
  if (body !== undefined) list.push("Content-Length", String(Buffer.byteLength(body)));
  return list;
}

export function reasonOf(
  error: NodeJS.ErrnoException,
  { socket }: ClientRequest,
  connections: VettedConnections,
): [Failure, string | undefined] {
  if (error instanceof BlockedAddress) return ["blocked_address", undefined];
  if (error instanceof NameNotFound) return ["dns", (error.cause as NodeJS.ErrnoException | undefined)?.code];
  const { code } = error;
  const phase = connections.phaseOf(socket);
  switch (phase) {
    case "connecting":
      return ["connect", code];
    case "securing":
      return ["tls", code];
    case "open":
      if (code?.startsWith("HPE_")) return ["protocol", code];
      // With TLS 1.3 the other side refuses a client without a certificate only now.
      if (code?.startsWith("ERR_SSL_")) return ["tls", code];
      return ["reset", code];
    default:
      return phase satisfies never;
  }
}
