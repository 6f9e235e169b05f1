/** Live streams as a client opens them, frame by frame. */
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer
export type Frame = any;

export interface LiveSocket {
  /** The received frames. */
  frames: Frame[];
  /** The events among them. */
  events(): Frame[];
  send(frame: object | string | Buffer): void;
  /** The server's close code; undefined while it is open. */
  closed(): { code: number; reason: string } | undefined;
  /** Waits for a frame of this type. */
  heard(type: string, count?: number): Promise<Frame>;
  /** Disconnects without a close frame. */
  leave(): void;
  socket: WebSocket;
}

/** Opens a WebSocket and sends a hello frame, if given. */
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
