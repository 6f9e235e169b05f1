/** The line between a client and a server: it can be cut, so that nothing passes until it is mended. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Line {
  /** The address at which clients reach the server through this line. */
  readonly origin: string;
  /** Every connection breaks, and new ones are refused. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param origin of the server, which may come and go */
export async function openLine(origin: string): Promise<Line> {
  const { hostname, port } = new URL(origin);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    const behind = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(socket);
      // A reset on one side is one on the other.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    async close() {
      breakAll();
      server.close();
    },
  };
}
