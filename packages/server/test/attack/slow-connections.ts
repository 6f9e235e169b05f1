/** Connections that send a byte now and then and never finish (reference row 29). */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The answer to a client that was too slow. */
export interface SlowEnd {
  /** From the connection to its end. */
  milliseconds: number;
  status: number;
}

/**
 * Opens slow connections, one half slow in their headers and the other in their body.
 *
 * @param path an address that takes a POST
 * @param apiKey for the ones that come as far as their body
 * @param stepMs between two bytes
 * @returns when all are open: for each, how the server has ended it
 */
export async function slowConnections(
  origin: string,
  { count, path, apiKey, stepMs }: { count: number; path: string; apiKey: string; stepMs: number },
): Promise<{ end: Promise<SlowEnd> }[]> {
  const { hostname, port } = new URL(origin);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      await once(socket, "connect");
      return { end: ended(socket, index % 2 ? slowHeaders(path) : slowBody(path, apiKey), stepMs) };
    }),
  );
}

interface Dribble {
  head: string;
  byte: string;
}

const slowHeaders = (path: string): Dribble => ({ head: `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Slow: `, byte: "a" });

const slowBody = (path: string, apiKey: string): Dribble => ({
  head: `POST ${path} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
  byte: " ",
});

async function ended(socket: Socket, { head, byte }: Dribble, stepMs: number): Promise<SlowEnd> {
  const from = performance.now();
  let text = "";
  let closed = false;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  const closing = once(socket, "close").then(() => {
    closed = true;
  });
  socket.write(head);
  while (!closed) {
    await Promise.race([delay(stepMs), closing]);
    if (socket.writable) socket.write(byte);
  }
  return { milliseconds: performance.now() - from, status: Number(text.split(" ")[1]) };
}
