/** Streams as a client opens them, frame by frame. */
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
export type Frame = any;

export interface LiveSocket {
  /** What has come so far. */
  frames: Frame[];
  /** The events among it. */
  events(): Frame[];
  send(frame: object | string | Buffer): void;
  /** Why the server closed it; undefined while it is open. */
  closed(): { code: number; reason: string } | undefined;
  /** Waits for a frame of this type. */
  heard(type: string, count?: number): Promise<Frame>;
  /** Goes away without a word. */
  leave(): void;
  socket: WebSocket;
}

/** Opens a WebSocket and says hello, if there is one to say. */
export async function listen(
  origin: string,
  hello?: object,
  headers: Record<string, string> = {},
): Promise<LiveSocket> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, { headers });
  const frames: Frame[] = [];
  let closed: { code: number; reason: string } | undefined;
  socket.on("message", (data) => frames.push(JSON.parse(data.toString())));
  socket.on("close", (code, reason) => {
    closed = { code, reason: reason.toString() };
  });
  await once(socket, "open");
  socket.on("error", () => {});
  const live: LiveSocket = {
    frames,
    events: () => frames.filter(({ type }) => type === "event"),
    send: (frame) => socket.send(typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    closed: () => closed,
    async heard(type, count = 1) {
      const found = () => frames.filter((frame) => frame.type === type);
      await expect.poll(() => found().length, { interval: 5 }).toBeGreaterThanOrEqual(count);
      return found()[count - 1];
    },
    leave: () => socket.terminate(),
    socket,
  };
  if (hello) live.send({ type: "hello", since: null, epoch: null, ...hello });
  return live;
}
