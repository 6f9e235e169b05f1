import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import type { VettedConnections } from "./vetted-connections.ts";
import type { Guard } from "./vetted-lookup.ts";

const TIMEOUT_MS = 10_000;
const MAX_HEAD_BYTES = 16 * 1024;
const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface GetRequest {
  url: URL;
  /** Without Host and Connection. Nothing else goes out: no cookie, no referrer. */
  headers: Readonly<Record<string, string>>;
  /** A longer answer is none. */
  maxBytes: number;
  /** For all of it, redirects included. @default TIMEOUT_MS */
  timeoutMs?: number;
  /** @default REDIRECTS_MAX */
  redirects?: number;
}

/** An answer 200. */
export interface Received {
  content: Buffer;
  headers: IncomingHttpHeaders;
}

/**
 * The whole body of a 200, never decompressed; undefined for any other answer and for none. A few redirects are followed, each of
 * them to a vetted address as the first. By TLS alone: a plain address is asked for over TLS, as browsers do for images of such pages.
 */
export async function get(
  connections: VettedConnections,
  guard: Guard,
  { url, headers, maxBytes, timeoutMs = TIMEOUT_MS, redirects = REDIRECTS_MAX }: GetRequest,
): Promise<Received | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  let next = overTls(url);
  for (let hop = 0; next && hop <= redirects; hop += 1) {
    const answer: Answer = await ask(connections, guard, { url: next, headers, maxBytes, signal });
    if (!answer || "content" in answer) return answer;
    const target = URL.parse(answer.location, next);
    next = target ? overTls(target) : undefined;
  }
  return undefined;
}

type Answer = Received | { location: string } | undefined;

function overTls(url: URL): URL | undefined {
  if (url.protocol === "https:") return url;
  // Another port answers without TLS, if at all.
  if (url.protocol !== "http:" || url.port !== "") return undefined;
  const secure = new URL(url);
  secure.protocol = "https:";
  return secure;
}

/** Sends one GET. Whatever goes wrong is no answer. */
function ask(
  connections: VettedConnections,
  guard: Guard,
  { url, headers, maxBytes, signal }: GetRequest & { signal: AbortSignal },
): Promise<Answer> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // The connection does not look up an address, so the guard has to be asked here, before connecting.
  const isBlocked = isIP(host) !== 0 && !guard.permits(host);
  if (connections.closed || signal.aborted || isBlocked) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const sent = request({
      ...{ protocol: "https:", agent: connections.agent, method: "GET", signal, maxHeaderSize: MAX_HEAD_BYTES },
      ...{ host, port: Number(url.port || 443), path: url.pathname + url.search },
      headers: { Host: url.host, ...headers },
    });
    const settle = (answer: Answer) => {
      connections.underway.delete(abort);
      resolve(answer);
    };
    const abort = () => {
      settle(undefined);
      sent.destroy();
    };
    connections.underway.add(abort);
    sent.on("response", (response) => {
      // From now on the body says how it ends, which is later than the request does.
      sent.off("close", abort);
      bodyOf(response, maxBytes).then((answer) => {
        settle(answer);
        // Also when more follows: what is not wanted is not read.
        if (!answer || "location" in answer) sent.destroy();
      });
    });
    sent.on("error", abort);
    sent.on("close", abort);
    sent.end();
  });
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  if (REDIRECTS.has(statusCode) && headers.location) return { location: headers.location };
  if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > maxBytes) return undefined;
  const kept: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).byteLength;
      if (bytes > maxBytes) return undefined;
      kept.push(chunk as Buffer);
    }
  } catch {
    return undefined;
  }
  return { content: Buffer.concat(kept), headers };
}
