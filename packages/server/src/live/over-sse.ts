import type { ServerResponse } from "node:http";
import type { Transport } from "./live-stream.ts";

/** How often an empty line is sent, so that proxies and clients know that the stream is alive. */
const HEARTBEAT_MS = 25_000;
/** How long a reader may take to read the last frame. */
const CLOSE_WITHIN_MS = 10_000;

/**
 * A stream as server-sent events. Each frame is one; those with a number have the id `<epoch>:<number>`, which a
 * client that reconnects sends as `Last-Event-ID`. When the server closes it, the last one is `close`, with code and
 * reason.
 */
export function overSse(response: ServerResponse, headers: Record<string, string>, epoch: string): Transport {
  response.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // nginx and similar proxies would buffer the stream.
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  response.socket?.setKeepAlive(true, HEARTBEAT_MS);
  const heartbeat = setInterval(() => response.write(":\n\n"), HEARTBEAT_MS).unref();
  let cut: NodeJS.Timeout | undefined;
  response.once("close", () => {
    clearInterval(heartbeat);
    clearTimeout(cut);
  });
  // The `close` that follows handles it.
  response.on("error", () => {});
  return {
    kind: "sse",
    send(frame, taken) {
      const number = /^\{"type":"(?:event|ready|reset)","number":(\d+)/.exec(frame)?.[1];
      const id = number === undefined ? "" : `id: ${epoch}:${number}\n`;
      response.write(`${id}data: ${frame}\n\n`, taken && (() => taken()));
    },
    waiting: () => response.writableLength,
    close(code, reason) {
      clearInterval(heartbeat);
      cut = setTimeout(() => response.destroy(), CLOSE_WITHIN_MS).unref();
      response.end(`event: close\ndata: ${JSON.stringify({ code, reason })}\n\n`);
    },
  };
}

/** What a client of server-sent events sends as `Last-Event-ID`. */
export function readEventId(id: string | undefined): { since: number; epoch: string } | undefined {
  const [, epoch, number] = /^([\w-]{1,64}):(\d{1,15})$/.exec(id ?? "") ?? [];
  return epoch && number ? { since: Number(number), epoch } : undefined;
}
