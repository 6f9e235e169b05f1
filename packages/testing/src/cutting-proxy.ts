/** A proxy on loopback that cuts each connection after so many bytes of the server. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  port: number;
  /** After how many bytes the next connections are cut; undefined: never. */
  cutAfter: number | undefined;
  connections(): number;
  stop(): Promise<void>;
}

/** @param port of the server, on this machine */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    let left = proxy.cutAfter ?? Number.POSITIVE_INFINITY;
    const upstream = connect(port, "127.0.0.1");
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => {
      const passed = bytes.subarray(0, left);
      left -= passed.length;
      client.write(passed);
      if (left === 0) client.end(() => end());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: CuttingProxy = {
    port: (server.address() as AddressInfo).port,
    cutAfter: undefined,
    connections: () => connections,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
  return proxy;
}
