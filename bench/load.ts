/**
 * The load, in a separate process: keeps `connections` sockets busy with one kind of request and reports the latency of each
 * answer.
 *
 * Reads a `LoadSpec` from standard input, prints a `LoadResult`.
 */
import { text } from "node:stream/consumers";
import { openSocket, type PlainRequest, type PlainSocket, requestText } from "./plain-socket.ts";
import { quantile } from "./quantile.ts";

/** `{n}` in address and body becomes a number that is unique in the run. */
export interface LoadSpec extends PlainRequest {
  port: number;
  connections: number;
  seconds: number;
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
  const warmUp = performance.now() + Math.min(1_000, spec.seconds * 250);
  const until = warmUp + spec.seconds * 1_000;
  const sockets = await Promise.all(Array.from({ length: spec.connections }, () => openSocket(spec.port)));
  await Promise.all(sockets.map(run));
  return {
    requestsPerSecond: latencies.length / spec.seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed,
  };

  function run(socket: PlainSocket): Promise<void> {
    return new Promise((resolve) => {
      next();

      function next(): void {
        if (performance.now() > until) {
          socket.end();
          resolve();
          return;
        }
        sent += 1;
        const started = performance.now();
        socket.send(requestText(spec, String(process.pid * 10_000_000 + sent)), ({ status }) => {
          const ended = performance.now();
          if (status < 200 || status > 299) failed += 1;
          if (started > warmUp) latencies.push(ended - started);
          next();
        });
      }
    });
  }
}
