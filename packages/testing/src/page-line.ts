import type { Page } from "playwright-core";

export interface PageLine {
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** The network of a page, with its live stream. Reloads the page, and resolves once the stream is live. */
export async function lineOf(page: Page): Promise<PageLine> {
  const sockets = new Set<{ close(reason: { code: number }): Promise<void> }>();
  const { promise: isLive, resolve: heard } = Promise.withResolvers<void>();
  let isCut = false;
  await page.routeWebSocket(/\/live$/, (socket) => {
    if (isCut) return void socket.close({ code: 1011 });
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      socket.send(message);
      heard();
    });
    sockets.add(socket);
  });
  // The existing stream does not pass through the route.
  await page.reload();
  await isLive;
  return {
    async cut() {
      isCut = true;
      await page.context().setOffline(true);
      for (const socket of sockets) await socket.close({ code: 1011 });
    },
    async mend() {
      isCut = false;
      await page.context().setOffline(false);
    },
  };
}
