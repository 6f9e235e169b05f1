/** Listening sockets in a separate process; the same for the service and for the floor. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { wallClock } from "./wall-clock.ts";
import { takeCommands } from "./worker-process.ts";

export interface ListenersSpec {
  url: string;
  /** The first frame of each; undefined sends nothing. */
  hellos: (object | undefined)[];
}

/** Latencies since the last query, per received message. */
export interface Heard {
  /** ms from when a message was due to be sent until a socket received it. */
  delays: number[];
  /** The same until the last socket received it, per message. */
  lasts: number[];
  /** `wallClock` of the first and the last one. */
  from: number;
  to: number;
}

export type ListenersCommands = {
  /** Resolves when all are ready. */
  connect(spec: ListenersSpec): Promise<void>;
  heard(): Heard;
  close(): Promise<void>;
};

const AT_ONCE = 100;
const MARK = /due:([\d.]+)/;

let open: WebSocket[] = [];
let delays: number[] = [];
let lasts = new Map<string, number>();
let from = 0;
let to = 0;

takeCommands<ListenersCommands>({
  async connect({ url, hellos }) {
    const rest = [...hellos];
    while (rest.length > 0) await Promise.all(rest.splice(0, AT_ONCE).map((hello) => listen(url, hello)));
  },
  heard() {
    const result = { delays, lasts: [...lasts].map(([due, last]) => last - Number(due)), from, to };
    delays = [];
    lasts = new Map();
    from = 0;
    return result;
  },
  async close() {
    const closed = open.map((socket) => socket.readyState === socket.CLOSED || once(socket, "close"));
    for (const socket of open) socket.terminate();
    await Promise.all(closed);
    open = [];
  },
});

async function listen(url: string, hello: object | undefined): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  open.push(socket);
  await once(socket, "open");
  const ready = hello && once(socket, "ready");
  socket.on("close", (code) => {
    if (hello && code >= 4_000) throw new Error(`A listening socket was closed with ${code}.`);
  });
  socket.on("message", (data) => {
    const text = data.toString();
    if (text.startsWith('{"type":"ready"')) socket.emit("ready");
    const due = MARK.exec(text)?.[1];
    if (due === undefined) return;
    to = wallClock();
    from ||= to;
    delays.push(to - Number(due));
    lasts.set(due, to);
  });
  if (hello) socket.send(JSON.stringify({ type: "hello", ...hello }));
  await ready;
}
