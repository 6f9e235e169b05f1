import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import type { Timeouts } from "../timeouts.ts";
import type { AllowedNetworks } from "./allowed-networks.ts";
import { type NameLookup, nameLookup } from "./name-lookup.ts";
import { type Failure, headersOf, reasonOf } from "./post.ts";
import { type VettedConnections, vettedConnections } from "./vetted-connections.ts";
import { createGuard, type Guard } from "./vetted-lookup.ts";

const MAX_HEAD_BYTES = 16 * 1024;
/** How long an answer of which enough was read may still take to end, so that its connection can be kept. */
const LINGER_MS = 1_000;

export interface StreamRequest {
  /** Without TLS only to the networks that the operator has listed. */
  url: URL;
  method: "GET" | "POST";
  /** Without Host, Content-Length and Connection, which are set here. */
  headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8; not with GET. */
  body?: string;
  /** Until the first byte of the answer's body, or its end. */
  firstByteMs: number;
  /** A longer body ends the request. */
  maxBytes: number;
  /** Ends it at once, in any phase. */
  signal?: AbortSignal | undefined;
  /** Called once, with the head; what it returns takes each piece of the body, and says whether it wants more. */
  onHead(head: StreamHead): (piece: Buffer) => "more" | "enough";
}

export interface StreamHead {
  status: number;
  /** Names in lower case. At most 16 KiB. */
  headers: IncomingHttpHeaders;
}

/**
 * How an answer has ended, `complete` also when the reader had enough; or why there was no head of one.
 * - `cut`: the connection broke off within the body
 * - `too-long`: more than `maxBytes`
 */
export type StreamEnd =
  | { outcome: "complete" | "cut" | "too-long" | "timeout" | "aborted" }
  | { outcome: "failed"; error: Failure; code?: string | undefined };

/** Requests whose answers are read as they arrive. The same guard as `createOutbound`: vetted addresses, no redirect followed. */
export interface Streams {
  /** Sends one request, once. Failures are values. @throws what `onHead`, or what it returns, has thrown */
  stream(request: StreamRequest): Promise<StreamEnd>;
  /** Ends requests under way as `aborted`, and closes all connections. */
  close(): void;
}

/**
 * @param options.allowed private networks that may be reached besides the internet, also without TLS
 * @param options.extraCa trusted certificates (PEM) besides those that Node trusts
 * @param options.lookup replaces the name servers
 */
export function createStreams({
  allowed,
  timeouts,
  extraCa,
  lookup = nameLookup({ own: !allowed.none }),
}: {
  allowed: AllowedNetworks;
  timeouts: Timeouts;
  extraCa?: string | undefined;
  lookup?: NameLookup | undefined;
}): Streams {
  const guard = createGuard({ allowed, lookup });
  const listed = createGuard({ allowed, lookup, listedOnly: true });
  const secure = vettedConnections({ guard, extraCa });
  const plain = vettedConnections({ guard: listed, plain: true });
  return {
    stream: (request) =>
      request.url.protocol === "https:"
        ? send(secure, guard, timeouts, request)
        : send(plain, listed, timeouts, request),
    close() {
      secure.close();
      plain.close();
    },
  };
}

/**
 * ```
 *   waiting -- head --> headed -- first byte --> reading -- its end, or enough --> complete
 *      |                  '---------- broken off, too long, no first byte in time, or the caller ends it --> cut, …
 *      '-- refused, broken off, no time left, or the caller ends it --> failed
 * ```
 */
function send(
  connections: VettedConnections,
  guard: Guard,
  timeouts: Timeouts,
  { url, method, headers, body, firstByteMs, maxBytes, signal, onHead }: StreamRequest,
): Promise<StreamEnd> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (connections.closed || signal?.aborted) return Promise.resolve({ outcome: "failed", error: "aborted" });
  // The connection does not look up an address, so the guard has to be asked here, before connecting.
  if (isIP(host) !== 0 && !guard.permits(host)) return Promise.resolve({ outcome: "failed", error: "blocked_address" });

  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ protocol: url.protocol, agent: connections.agent, method, host, maxHeaderSize: MAX_HEAD_BYTES },
      ...{ port: Number(url.port || (url.protocol === "https:" ? 443 : 80)), path: url.pathname + url.search },
      headers: headersOf(url, headers, method === "GET" ? undefined : (body ?? "")),
    });
    let hasHead = false;
    let settled = false;
    const cancelTimer = timeouts.after(firstByteMs, () => end("timeout"));
    const abort = () => end("aborted");
    signal?.addEventListener("abort", abort, { once: true });
    connections.underway.add(abort);

    sent.on("response", (response) => {
      // 1xx other than 101 are other events, and are correctly ignored.
      if ((response.statusCode ?? 0) < 200) return fail("protocol");
      hasHead = true;
      inCall(() => read(response));
    });
    sent.on("error", (error) => (hasHead ? end("cut") : fail(...reasonOf(error, sent, connections))));
    // Without an answer and without an error it ends only when the other side has switched protocols.
    sent.on("close", () => (hasHead ? end("cut") : fail("protocol")));
    sent.end(method === "GET" ? undefined : body);

    function read(response: IncomingMessage): void {
      const take = onHead({ status: response.statusCode ?? 0, headers: response.headers });
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        if (settled) return;
        cancelTimer();
        bytes += piece.byteLength;
        if (bytes > maxBytes) return end("too-long");
        inCall(() => {
          if (take(piece) === "more") return;
          settle({ outcome: "complete" });
          timeouts.after(LINGER_MS, () => sent.destroy());
        });
      });
      response.on("end", () => settle({ outcome: response.complete ? "complete" : "cut" }));
      response.on("error", () => end("cut"));
    }

    /** What fails in the reader of the answer ends the call: in an event it would end the process. */
    function inCall(act: () => void): void {
      try {
        act();
      } catch (error) {
        reject(error);
        end("aborted");
      }
    }

    /** Closes the connection, which cannot be used again. */
    function end(outcome: "cut" | "too-long" | "timeout" | "aborted"): void {
      if (hasHead) settle({ outcome });
      else fail(outcome === "timeout" || outcome === "aborted" ? outcome : "reset");
      sent.destroy();
    }

    function fail(error: Failure, code?: string): void {
      settle({ outcome: "failed", error, ...(code && { code }) });
      sent.destroy();
    }

    function settle(ended: StreamEnd): void {
      if (settled) return;
      settled = true;
      cancelTimer();
      signal?.removeEventListener("abort", abort);
      connections.underway.delete(abort);
      resolve(ended);
    }
  });
}
