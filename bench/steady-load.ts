/**
 * An open-loop load, in a separate process: requests become due at a fixed rate, and are sent when they are due or, when all
 * connections are busy, as soon as one is free. Latencies count from the due time, so that a stalled server is charged for the
 * requests that it held up.
 */

import { openSocket, type PlainRequest, type PlainSocket, requestText } from "./plain-socket.ts";
import { wallClock } from "./wall-clock.ts";
import { takeCommands } from "./worker-process.ts";

export interface SteadyLoadSpec {
  port: number;
  connections: number;
  /** Requests a second. */
  rate: number;
  /** The total; fewer when it is stopped earlier. */
  count: number;
  /** Sent in turn; `{n}` in address and body becomes a number that is unique in the run. */
  requests: PlainRequest[];
}

/** An answered request. Times: `wallClock`. */
export interface Sent {
  method: string;
  dueAt: number;
  answeredAt: number;
  status: number;
  /** The id of the created resource, if the answer to a POST has one. */
  id?: string;
}

export type SteadyLoadCommands = {
  /** Resolves when all requests are answered. */
  run(spec: SteadyLoadSpec): Promise<Sent[]>;
  /** Ends a run early; requests due by then are still sent. */
  stop(): void;
};

/** Before the first request is due, so that nothing is late from the start. */
const START_MS = 50;
const TICK_MS = 1;

let stopped = false;

takeCommands<SteadyLoadCommands>({
  run,
  stop: () => {
    stopped = true;
  },
});

async function run(spec: SteadyLoadSpec): Promise<Sent[]> {
  stopped = false;
  const sockets = await Promise.all(Array.from({ length: spec.connections }, () => openSocket(spec.port)));
  const sent = await new Promise<Sent[]>((resolve) => keepSending(spec, sockets, resolve));
  for (const socket of sockets) socket.end();
  return sent;
}

function keepSending(
  { port, rate, count, requests }: SteadyLoadSpec,
  sockets: PlainSocket[],
  done: (sent: Sent[]) => void,
) {
  const sent: Sent[] = [];
  // In turn, so that none is idle for long.
  const free = [...sockets];
  const from = wallClock() + START_MS;
  const dueAt = (number: number) => from + (number * 1_000) / rate;
  let all = count;
  let started = 0;
  const timer = setInterval(sendWhatIsDue, TICK_MS);

  function sendWhatIsDue(): void {
    const now = wallClock();
    if (stopped) all = Math.min(all, Math.max(started, Math.ceil(((now - from) * rate) / 1_000)));
    while (started < all && dueAt(started) <= now) {
      const socket = free.shift();
      if (!socket) break;
      if (socket.closed) {
        replace(socket);
      } else {
        send(socket, started);
        started += 1;
      }
    }
    if (sent.length < all) return;
    clearInterval(timer);
    done(sent);
  }

  function send(socket: PlainSocket, number: number): void {
    const request = requests[number % requests.length] as PlainRequest;
    socket.send(requestText(request, String(process.pid * 10_000_000 + number)), ({ status, body }) => {
      const answer: Sent = { method: request.method, dueAt: dueAt(number), answeredAt: wallClock(), status };
      const isMade = request.method === "POST" && status >= 200 && status <= 299;
      const id = isMade && JSON.parse(body).data?.id;
      sent.push(id ? { ...answer, id } : answer);
      free.push(socket);
      sendWhatIsDue();
    });
  }

  function replace(closed: PlainSocket): void {
    sockets.splice(sockets.indexOf(closed), 1);
    void openSocket(port).then((socket) => {
      sockets.push(socket);
      free.push(socket);
      sendWhatIsDue();
    });
  }
}
