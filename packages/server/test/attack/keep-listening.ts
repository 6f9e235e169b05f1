/** A client of the live stream that reconnects by itself, and resumes where it was (docs/decisions/0020-live-stream.md). */
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";

const RETRY_MS = 50;

interface Place {
  number: number;
  epoch: string;
}

export interface HeardEvent {
  number: number;
  name: string;
  message?: { id: string; content: string };
}

export interface Listener {
  /** In the order of arrival. */
  events: HeardEvent[];
  isReady(): boolean;
  /** How often the connection ended. */
  cuts(): number;
  resets(): number;
  stop(): Promise<void>;
}

/**
 * @param origins the servers, which are tried one after another
 * @param hello token, and the widget of a visitor
 */
export function keepListening(origins: readonly string[], hello: object): Listener {
  const events: HeardEvent[] = [];
  let place: Place | undefined;
  let cuts = 0;
  let resets = 0;
  let over = false;
  let socket: WebSocket | undefined;
  const running = (async () => {
    for (let turn = 0; !over; turn += 1) {
      socket = new WebSocket(`${origins[turn % origins.length]?.replace("http", "ws")}/live`);
      socket.on("error", () => {});
      socket.on("open", () =>
        socket?.send(
          JSON.stringify({ type: "hello", ...hello, since: place?.number ?? null, epoch: place?.epoch ?? null }),
        ),
      );
      socket.on("message", (data) => {
        const frame = JSON.parse(data.toString());
        if (frame.type === "reset") resets += 1;
        if (frame.type === "ready") place = { number: frame.number, epoch: frame.epoch };
        if (frame.type !== "event") return;
        events.push(frame);
        if (place) place.number = frame.number;
      });
      await new Promise((resolve) => socket?.once("close", resolve));
      cuts += 1;
      await delay(RETRY_MS);
    }
  })();
  return {
    events,
    isReady: () => place !== undefined,
    cuts: () => cuts,
    resets: () => resets,
    async stop() {
      over = true;
      socket?.terminate();
      await running;
    },
  };
}

/** Sends until it is answered, as a browser does: the same message under the same id. */
export async function sendUntilAnswered(send: () => Promise<Response>): Promise<void> {
  for (;;) {
    const status = await send().then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200 || status === 201) return;
    if (status >= 400 && status < 500) throw new Error(`A message was refused: ${status}`);
    await delay(RETRY_MS);
  }
}
