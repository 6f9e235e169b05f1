/**
 * The load, in a process of its own: keeps `connections` sockets busy with one kind of request and tells how long each
 * answer took. Plain sockets, because on two cores an HTTP client costs as much as the server under test.
 *
 * Reads a `LoadSpec` from the first line of standard input, prints a `LoadResult`.
 */
import { createConnection, type Socket } from "node:net";
import { text } from "node:stream/consumers";

export interface LoadSpec {
  port: number;
  connections: number;
  seconds: number;
  method: string;
  /** `{n}` in address and body becomes a number that no other request of the run has. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Answers that were not 2xx. */
  failed: number;
}

if (import.meta.main) console.log(JSON.stringify(await load(JSON.parse(await text(process.stdin)))));

async function load(spec: LoadSpec): Promise<LoadResult> {
  const latencies: number[] = [];
  let failed = 0;
  let sent = 0;
  let until = Number.POSITIVE_INFINITY;
  const request = () => {
    sent += 1;
    const unique = String(process.pid * 10_000_000 + sent);
    const body = spec.body?.replaceAll("{n}", unique);
    const head = [
      `${spec.method} ${spec.path.replaceAll("{n}", unique)} HTTP/1.1`,
      "Host: 127.0.0.1",
      ...Object.entries(spec.headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
  };

  const warmUp = performance.now() + Math.min(1_000, spec.seconds * 250);
  const sockets = Array.from({ length: spec.connections }, () => createConnection({ port: spec.port, noDelay: true }));
  until = warmUp + spec.seconds * 1_000;
  await Promise.all(sockets.map(run));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { requestsPerSecond: latencies.length / spec.seconds, p50: at(0.5), p99: at(0.99), failed };

  function run(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      let started = 0;
      let received = "";
      const next = () => {
        if (performance.now() > until) {
          socket.end();
          resolve();
          return;
        }
        started = performance.now();
        socket.write(request());
      };
      socket.setEncoding("latin1");
      socket.once("connect", next);
      socket.once("error", reject);
      socket.on("data", (chunk) => {
        received += chunk;
        const headEnd = received.indexOf("\r\n\r\n");
        if (headEnd < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0);
        if (received.length < headEnd + 4 + length) return;
        const ended = performance.now();
        if (received[9] !== "2") failed += 1;
        if (started > warmUp) latencies.push(ended - started);
        received = "";
        next();
      });
    });
  }
}
